"""Options of a game: defaults, values, and one sentence for each thing that cannot be."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

from .contract import BadOption, GameInfo, Option
from .message import Message, either


def complete_options(info: GameInfo, chosen: Mapping[str, str], seats: int) -> dict[str, str]:
    """All options of a game, defaults filled in, each value canonical. Combinations are the game's to check.

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
    for name in chosen:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = (
                Message("did you mean {names}?", names=near[0])
                if near
                else Message("there are {names}.", names=", ".join(known))
            )
            raise BadOption(
                Message(
                    "{game} has no option {name}; {hint}",
                    game=Message(info.title),
                    name=_shortened(name),
                    hint=hint,
                )
            )
    return {
        name: _value(option, chosen[name]) if name in chosen else option.values[0]
        for name, option in known.items()
    }


def parse_option(text: str) -> tuple[str, str]:
    """Name and value of ``name=value``. Raises ``BadOption``."""
    name, equals, value = text.partition("=")
    if not (equals and name.strip() and value.strip()):
        raise BadOption(Message("An option is written name=value, not {text}.", text=_shortened(text)))
    return name.strip().lower(), value.strip()


def option_text(name: str, value: str) -> str:
    """The text that ``parse_option`` reads."""
    return f"{name}={value}"


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
            text=_shortened(text),
        )
    )


def _shortened(text: str) -> str:
    clean = "".join(c if c.isprintable() else "?" for c in text)
    return f'"{clean[:30]}…"' if len(clean) > 30 else f'"{clean}"'
