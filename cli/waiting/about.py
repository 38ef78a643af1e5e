"""What is said of a table before its game: what is played, and the safety words."""

from __future__ import annotations

from collections.abc import Sequence

from engine.own_deck import OWN_DECK
from engine.registry import UnknownGame, game
from p2p.identity import words
from p2p.log import DEFAULT_GRACE, DEFAULT_WATCHERS, PRINTED, Charter, keepers, seats_of
from p2p.session.setup import Roster

from ..answers import word_line
from ..choices import about_own_deck
from ..console import Console
from ..leaving import about_leaving
from ..rules import text_of
from ..text import duration, joined, printable
from ..translation import gettext as _
from ..translation import ngettext
from ..watching.about import about_watching
from .shown import Covering


def about_table(roster: Roster) -> str:
    """What is played at this table. A game that is not known here is refused later, and named until then."""
    try:
        info = game(roster.game).info
    except UnknownGame:
        return _("Table of {game}.").format(game=printable(roster.game, 32))
    usual = {option.name: option.values[0] for option in info.options}
    options = dict(roster.options)
    own = about_own_deck(options) if info.takes_own_deck else ""
    other = [
        f"{printable(name, 32)}={printable(value, 32)}"
        for name, value in options.items()
        if value != usual.get(name) and not (own and name == OWN_DECK)
    ]
    other += [own] if own else []
    text = text_of(info.id)
    title = text.lookup(text.title)
    if other:
        return _("Table of {title}. Options: {options}").format(title=title, options=", ".join(other))
    about = _("Table of {title}, with the usual options").format(title=title)
    return f"{about}: {text.lookup(text.usual)}" if text.usual else f"{about}."


def title_of_table(roster: Roster) -> str:
    """The name of the game, as far as it is known here."""
    try:
        text = text_of(game(roster.game).info.id)
    except UnknownGame:
        return printable(roster.game, 32)
    return text.lookup(text.title)


def about_dealing(roster: Roster) -> tuple[str, ...]:
    """Who sees printed cards."""
    if roster.dealing != PRINTED or roster.scanner is None:
        return ()
    text = _("Printed cards are dealt here, scanned by {name}'s machine, which sees all of them.")
    return (text.format(name=printable(roster.taken[roster.scanner].name)),)


def about_terms(roster: Roster) -> tuple[str, ...]:
    """What else is unusual about a table: the hands after the game, leaving, and watching."""
    lines = []
    if roster.reveal == "never":
        lines.append(_("The hands stay closed after the game."))
    if roster.recovery is False and roster.dealing != PRINTED:
        lines.append(_("If a player leaves for good, the game ends, however many play."))
    if roster.recovery:
        lines.append(
            _(
                "If a player leaves for good, the game goes on: each key is split among the others, who "
                "could read a hand if all of them agreed."
            )
        )
    if roster.grace != DEFAULT_GRACE:
        text = _("Who is away for {time} may be given up by the others.")
        lines.append(text.format(time=duration(roster.grace)))
    if roster.watchers != DEFAULT_WATCHERS:
        lines.append(about_watching(roster))
    return tuple(lines)


def _people(charter: Charter) -> set[bytes]:
    """The identities of the people at a table; bots are their keepers'."""
    return {seat.public for number, seat in enumerate(charter.seats) if seat.keeper == number}


def same_people(before: Charter, after: Charter) -> bool:
    """Whether exactly those sit at a table who sat at the one before it, under the same identities."""
    return _people(before) == _people(after)


def only_known(before: Charter, after: Charter) -> bool:
    """Whether nobody new sits at a table: all people there sat at the one before it."""
    return _people(after) <= _people(before)


def about_kept(charter: Charter, me: int) -> tuple[str, ...]:
    """Which seats other machines play besides their own player's, as the charter has it."""
    lines = []
    for keeper in keepers(charter):
        names = [printable(charter.seats[seat].name) for seat in seats_of(charter, keeper) if seat != keeper]
        if names and keeper != me:
            text = ngettext(
                "{names} is played on {host}'s machine, which holds that hand as well.",
                "{names} are played on {host}'s machine, which holds those hands as well.",
                len(names),
            )
            lines.append(text.format(names=joined(names), host=printable(charter.seats[keeper].name)))
    return tuple(lines)


def show_words(console: Console, charter: Charter, me: int, before: Charter | None = None) -> None:
    """The safety words, and what to do with them, where other people sit at the table. ``before`` is the
    charter of the game that was played with the same people."""
    if keepers(charter) == (me,):
        return
    safety = words(charter.table_id)
    advice = _advice(charter, before)
    console.write("")
    console.write("    " + word_line(safety))
    console.write("")
    console.write(advice)
    for line in about_kept(charter, me):
        console.write(line)
    console.write(about_leaving(charter))
    console.write(about_watching(charter))
    console.write("")
    if isinstance(console, Covering):
        console.page(_("Safety words"), large(safety, advice))


def _advice(charter: Charter, before: Charter | None) -> str:
    if before is not None and same_people(before, charter):
        return _(
            "The same players as before, with the same keys: you need not compare the words again. They are "
            "different because this is another game."
        )
    if before is not None and only_known(before, charter):
        return _(
            "Nobody new sits at this table, and those who stayed have the same keys as before: you need not "
            "compare the words again. They are different because this is another game."
        )
    return _(
        "Read them to each other, in one room or on the phone. If all of you see the same four words, "
        "you sit at the same table and nobody is in between. If they differ, stop with quit and do not "
        "play."
    )


def large(safety: Sequence[str], advice: str) -> list[str]:
    """The words, each in a line of its own and letter by letter, and what to do with them."""
    return ["", *(f"    {' '.join(word.upper())}" for word in safety), "", advice]
