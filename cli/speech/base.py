"""What the words of a game are, and those that all games share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ..language import N_
from ..translation import gettext as _
from ..translation import own_gettext

if TYPE_CHECKING:
    from ..text import Glyphs

Sentences: TypeAlias = Mapping[str, tuple[str, str]]
"""Beginning of an event's text -> the sentence about somebody else, and about you."""

Fields: TypeAlias = Callable[[str, tuple[str, ...], "Glyphs"], Mapping[str, str]]
"""Key of a sentence, the words after it, and how cards are written -> fields of this game's own."""


SHARED: Final = (
    N_("{who} share the win with {score} each."),
    N_("You share the win with {who}: {score} each."),
)


def no_fields(key: str, words: tuple[str, ...], glyphs: Glyphs) -> Mapping[str, str]:
    """A game whose sentences need the usual fields only."""
    return {}


@dataclass(frozen=True, slots=True)
class Speech:
    """The words of one game.

    A sentence of ``events`` belongs to the events whose text (docs/scenarios.md) begins with its key, the
    longest key first. Fields: ``who`` did it to ``target``; ``what`` was asked for; ``cards``; the first word
    as ``count`` and as ``ranks``; what the player alone saw as ``drawn``; and what ``fields`` adds. ``score``
    heads the column of scores. ``shared`` says that several win with ``score`` each: ``who``, and ``who``
    and you. ``lookup`` finds the translation.
    """

    events: Sentences
    reasons: Mapping[str, str] = field(default_factory=dict)
    endings: Mapping[str, str] = field(default_factory=dict)
    proofs: Mapping[str, str] = field(default_factory=dict)
    score: str = N_("points")
    shared: tuple[str, str] = SHARED
    fields: Fields = no_fields
    lookup: Callable[[str], str] = _

    def sentence(self, text: str) -> tuple[str, tuple[str, str]] | None:
        """Key and templates for an event's text without its seats; ``None`` where nothing fits."""
        words = text.split(" ")
        for count in range(len(words), 0, -1):
            key = " ".join(words[:count])
            if key in self.events:
                return key, self.events[key]
        return (words[0], EVERYWHERE[words[0]]) if words[0] in EVERYWHERE else None

    def reason(self, name: str) -> str | None:
        """The template for a refusal."""
        return self.reasons.get(name) or REASONS.get(name)

    def ending(self, name: str) -> str | None:
        """The template for the end of a game."""
        return self.endings.get(name) or ENDINGS.get(name)


EVERYWHERE: Final[Sentences] = {
    "leave": (N_("{who} has left the game."), N_("You have left the game.")),
}
"""Events that the table tells of, whatever is played."""

REASONS: Final = {
    "not-your-turn": N_("It is not your turn."),
    "no-such-action": N_("That is not possible now."),
    "no-such-seat": N_("There is no such player."),
    "own-seat": N_("You cannot ask yourself."),
    "no-cards": N_("That player has no cards."),
    "no-such-rank": N_("This deck has no such rank."),
    "no-such-card": N_("This deck has no such card."),
    "malformed": N_("That is not possible."),
    "must-give": N_("These are not the cards you have to give."),
    "must-lay": N_("These are not the cards you have to lay."),
    "not-possible": N_("That is not possible now."),
}

ENDINGS: Final = {
    "left": N_("The game cannot go on without those who left"),
    "no-progress": N_("Nothing has moved for a long time"),
    "nobody-to-ask": N_("There is nobody left to ask"),
}

PLAIN: Final = Speech({"first": (N_("{who} goes first."), N_("You go first."))}, REASONS, ENDINGS)
"""What is left for a game without words of its own."""


def plugged_in(rules: Any) -> Speech:
    """The words that a game of others brings along: its attributes ``words`` and ``locale``.

    ``words`` maps ``events`` to pairs of templates, and ``reasons``, ``endings`` and ``proofs`` to templates;
    ``shared`` is a pair like those of events, for several winners;
    ``locale`` is the folder of the game's own catalogue, whose domain is the game's id.
    """
    words: Mapping[str, Any] = getattr(rules, "words", {})
    return Speech(
        events={**PLAIN.events, **words.get("events", {})},
        reasons=words.get("reasons", {}),
        endings=words.get("endings", {}),
        proofs=words.get("proofs", {}),
        score=words.get("score", PLAIN.score),
        shared=words.get("shared", SHARED),
        lookup=own_lookup(rules),
    )


def own_lookup(rules: Any) -> Callable[[str], str]:
    """Looks up in the catalogue of a game of others, then in ours."""
    folder: Path | str | None = getattr(rules, "locale", None)
    return _ if folder is None else own_gettext(rules.info.id, str(folder))
