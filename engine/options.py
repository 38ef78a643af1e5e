"""Options of a game: defaults, values, and one sentence for each thing that cannot be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from .contract import BadOption, GameInfo, Option
from .message import Message, either, quoted
from .own_deck import OWN_DECK, own_deck_of

MOST_SHOWN = 30
"""Characters of a wrong name or value that an error repeats; the longest name of an option has 23."""


def complete_options(info: GameInfo, chosen: Mapping[str, str], seats: int) -> dict[str, str]:
    """All options of a game, defaults filled in, each value canonical. Combinations are the game's to check.

    The text of an own deck is checked as far as every game needs it, and left out where none was chosen.
    Raises ``BadOption`` for an unknown name or value or a seat count the game is not made for.
    """
    if not info.least_seats <= seats <= info.most_seats:
        raise BadOption(
            Message(
                "{game} is for {least} to {most} players, not {seats}.",
                game=Message(info.title),
                least=info.least_seats,
                most=info.most_seats,
                seats=seats,
            )
        )
    known = {option.name: option for option in info.options}
    own = own_deck_of(chosen) if info.takes_own_deck else None
    for name in chosen:
        if name not in known and not (own and name == OWN_DECK):
            raise _unknown(info, name)
    full = {
        name: _value(option, chosen[name]) if name in chosen else option.values[0]
        for name, option in known.items()
    }
    return full | {OWN_DECK: own.text} if own else full


def refuse_beside_own_deck(info: GameInfo, options: Mapping[str, str], names: Iterable[str]) -> None:
    """Raises ``BadOption`` where one of ``names`` is not at its default, since the own deck decides it."""
    defaults = {option.name: option.values[0] for option in info.options}
    for name in names:
        if options[name] != defaults[name]:
            raise BadOption(
                Message(
                    "A deck of one's own decides the cards; leave out {name}={value}.",
                    name=name,
                    value=options[name],
                )
            )


def parse_option(text: str) -> tuple[str, str]:
    """Name and value of ``name=value``. Raises ``BadOption``."""
    name, equals, value = text.partition("=")
    if not (equals and name.strip() and value.strip()):
        raise BadOption(
            Message("An option is written name=value, not {text}.", text=quoted(text, MOST_SHOWN))
        )
    return name.strip().lower(), value.strip()


def option_text(name: str, value: str) -> str:
    """The text that ``parse_option`` reads."""
    return f"{name}={value}"


def _unknown(info: GameInfo, name: str) -> BadOption:
    if name == OWN_DECK:
        return BadOption(Message("{game} is not played with a deck of one's own.", game=Message(info.title)))
    known = [option.name for option in info.options]
    near = get_close_matches(name, known, n=1)
    hint = (
        Message("did you mean {names}?", names=near[0])
        if near
        else Message("there are {names}.", names=", ".join(known))
    )
    return BadOption(
        Message(
            "{game} has no option {name}; {hint}",
            game=Message(info.title),
            name=quoted(name, MOST_SHOWN),
            hint=hint,
        )
    )


def _value(option: Option, text: str) -> str:
    value = text.strip().lower()
    if value in option.values:
        return value
    # Nine digits hold every number an option can mean; a longer text is not worth converting.
    number = int(value) if value.isascii() and value.isdecimal() and len(value) < 10 else None
    low, high = option.lowest, option.highest
    if number is not None and low is not None and high is not None and low <= number <= high:
        return str(number)
    allowed = list(option.values)
    if low is not None:
        allowed = [each for each in allowed if not each.isdecimal()]
        allowed.append(Message("a number from {low} to {high}", low=low, high=high))
    raise BadOption(
        Message(
            "{name} can be {values}, not {text}.",
            name=option.name,
            values=either(allowed),
            text=quoted(text, MOST_SHOWN),
        )
    )
