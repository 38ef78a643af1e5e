"""Where keys stand in a TOML text."""

import pytest

from engine.toml import MOST_DOTS, DataError, Document

TEXT = """\
# a comment
title = "x = [y]"
[[a]]
list = [
  1,   # one
  2,
]
text = '''
[[a]]
no = 1
'''
last.of.all = 3
[[a.b]]
x = 1
[[a.b]]
x = { y = 2 }

[[a]]
[a.c]
z = 1
[[a.b]]
x = 3
"""


def test_lines_of_keys() -> None:
    document = Document(TEXT, "t.toml")
    for path, line in [
        (("title",), 2),
        (("a", 0), 3),
        (("a", 0, "list"), 4),
        (("a", 0, "list", 1), 4),
        (("a", 0, "text"), 8),
        (("a", 0, "last", "of", "all"), 12),
        (("a", 0, "b", 0, "x"), 14),
        (("a", 0, "b", 1, "x"), 16),
        (("a", 0, "b", 1, "x", "y"), 16),
        (("a", 1), 18),
        (("a", 1, "c", "z"), 20),
        (("a", 1, "b", 0, "x"), 22),
        (("a", 1, "b", 0, "nowhere"), 21),
        (("nowhere",), 1),
    ]:
        assert document.line(path) == line


@pytest.mark.parametrize(
    "value",
    [
        "[1, # ]\n[2],\n]",
        '["]", "\\\\", "\\"]",\n]',
        "['\\', ']',\n]",
        '"""\n]] \\""" x\n""" # """',
        '"""a"b""c\n"""""',
        "@@@a'b''c\n\\@@@",
        '["""\n[""", @@@\n{@@@, { b = 1 },\n]',
        '"a\u2028b"',
    ],
)
def test_the_key_after_a_value_of_several_lines_is_found(value: str) -> None:
    text = f"first = {value}\nlast = 1\n".replace("@@@", "'''")
    document = Document(text, "t.toml")
    assert (document.line(("first",)), document.line(("last",))) == (1, text.count("\n"))


def test_lines_are_found_quickly() -> None:
    """What comes from a stranger may have many."""
    text = "x = [\n" + "1,\n" * 50_000 + "]\ny = 1\n"
    assert Document(text, "t.toml").line(("y",)) == 50_003


@pytest.mark.parametrize(
    ("text", "line"),
    [("x = 1\ny = ", 2), ("x = 1\nx = 2\n", 2), ("[a\n", 1), ('x = 1\n\ny = "a\n', 3)],
)
def test_what_is_not_toml_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(DataError, match=rf"^t\.toml, line {line}: .*\.$"):
        Document(text, "t.toml")


DOTS = "a." * (MOST_DOTS + 1)


@pytest.mark.parametrize(
    "deep",
    [
        f"{DOTS}b = 1",
        f"[{DOTS}b]",
        f"[[{DOTS}b]]",
        f"x = {{ {DOTS}b = 1 }}",
        DOTS.replace(".", " .\t") + "b = 1",
        DOTS.replace("a", '"a"') + "b = 1",
        DOTS.replace("a", "''") + "b = 1",
        f'x = """\n\\""" """ #\n{DOTS}b = 1',
    ],
)
def test_a_key_with_thousands_of_dots_is_refused_before_it_is_parsed(deep: str) -> None:
    """It would take seconds, and comes from a stranger: the deck of a table is in its roster."""
    with pytest.raises(DataError, match=r"^t\.toml, line \d: a key has too many dots\.$") as error:
        Document(f"\n{deep}", "t.toml")
    assert error.value.line == deep.count("\n") + 2


def test_dots_that_are_no_key_are_left_alone() -> None:
    shallow = "a." * MOST_DOTS
    values = f'x = "{DOTS}b"  # {DOTS}b\ny = \'{DOTS}b\'\nz = """\n{DOTS}b\n"""\n{shallow}b = 1\n# {DOTS}b\n'
    assert Document(values, "t.toml").data["x"] == f"{DOTS}b"
