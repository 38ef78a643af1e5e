"""The shells of p2p: the only place with asyncio, sockets, TLS, files, clocks and randomness."""
