"""Messages of every kind, drawn from the layouts."""

from typing import Any

from hypothesis import strategies as st

from hardware.protocol import LAYOUTS, InvalidMessage, Message, encode
from hardware.protocol.fields import Choice, Field, Flags, Number, Octets, Several, Signal, Text, Truth


def values(field: Field) -> st.SearchStrategy[Any]:
    """Everything that a field can carry."""
    match field:
        case Number(low=low, high=high):
            return st.integers(low, high)
        case Signal():
            return st.none() | st.integers(-127, 0)
        case Choice(kind=kind):
            return st.sampled_from(list(kind))
        case Flags(kind=kind):
            return st.sets(st.sampled_from(list(kind))).map(lambda bits: kind(sum(bits)))
        case Octets(low=low, high=high):
            return st.binary(min_size=low, max_size=high)
        case Text(high=high):
            printable = st.text(max_size=high).filter(lambda text: text.isprintable())
            return printable.filter(lambda text: len(text.encode()) <= high)
        case Truth():
            return st.booleans()
        case Several(layout=layout, entry=None):
            return st.lists(values(layout[0][1]), max_size=40).map(tuple)
        case Several(layout=layout, entry=entry):
            entries = st.fixed_dictionaries({name: values(inner) for name, inner in layout})
            return st.lists(entries.map(lambda given: entry(**given)), max_size=12).map(tuple)
    raise AssertionError(field)


def fits(message: Message) -> bool:
    """Whether a message is short enough for a frame."""
    try:
        encode(message)
    except InvalidMessage:
        return False
    return True


def of_kind(kind: type[Message]) -> st.SearchStrategy[Message]:
    """Messages of one kind."""
    spec = LAYOUTS[kind]
    fields = {name: values(field) for name, field in spec.layout}
    fields["seq"] = st.sampled_from(spec.seqs)
    return st.fixed_dictionaries(fields).map(lambda given: kind(**given)).filter(fits)


messages: st.SearchStrategy[Message] = st.sampled_from(list(LAYOUTS)).flatmap(of_kind)
