"""The full-screen table: another front end on the same presenter (``cli.presenter``).

``layout`` draws a ``sheet`` for any size and is pure; ``keys`` turns single keys into moves; ``screen`` is
the console that joins them to a terminal, for as long as ``opening`` says.
"""
