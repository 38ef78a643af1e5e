"""The words people compare to be sure of a link. The lists belong to ``p2p.identity``, whose fingerprints use
them too."""

from ..identity.words import parse_words, words

__all__ = ["parse_words", "words"]
