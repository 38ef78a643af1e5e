"""A tag book as TOML and CSV."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.tag_texts import from_csv, from_toml, to_csv, to_toml
from hardware.tags import BadTags, Book, Kind, Tag
from hardware.uids import Technology, Uid

NAME = st.text(min_size=1, max_size=40).filter(lambda text: text.isprintable() and text == text.strip())
TAGS = st.lists(
    st.builds(
        Tag,
        st.builds(Uid, st.binary(min_size=1, max_size=62), st.sampled_from(Technology)),
        st.sampled_from(Kind),
        NAME,
    ),
    unique_by=lambda tag: tag.uid.data,
    max_size=8,
)

TOML = """# Which tag is which card. The ids are yours alone: keep this file on this computer.
shoal-tags = 1

[[tag]]
uid = "iso14443a:04A3C6CAE26180"
card = "9S"

[[tag]]
uid = "em4100:13005D1DA5"
player = "Ben"
"""
CSV = "uid,kind,name\niso14443a:04A3C6CAE26180,card,9S\nem4100:13005D1DA5,player,Ben\n"
BOOK = Book(
    [
        Tag(Uid(bytes.fromhex("04A3C6CAE26180"), Technology.ISO14443A), Kind.CARD, "9S"),
        Tag(Uid(bytes.fromhex("13005D1DA5"), Technology.EM4100), Kind.PLAYER, "Ben"),
    ]
)


def test_the_text_forms_as_they_stand() -> None:
    assert to_toml(BOOK) == TOML
    assert to_csv(BOOK) == CSV


@given(TAGS)
def test_they_read_back(tags: list[Tag]) -> None:
    book = Book(tags)
    for read, write in ((from_toml, to_toml), (from_csv, to_csv)):
        again = read(write(book))
        assert again == book
        assert [tag.uid.technology for tag in again.tags] == [tag.uid.technology for tag in tags]


def test_csv_of_a_spreadsheet() -> None:
    text = "\ufeffUID, Kind ,Name\r\n0006102437, card , 9S\r\n,,\r\n04:A3:C6:CA:E2:61:80,command,yes\r\n"
    assert [(tag.uid.data.hex(), tag.kind, tag.name) for tag in from_csv(text).tags] == [
        ("005d1da5", Kind.CARD, "9S"), ("04a3c6cae26180", Kind.COMMAND, "yes"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "The first line must name the columns"),
        ("uid,kind,name\n045\n", "line 2 has 1 columns instead of 3"),
        ("uid,kind,name\nac8c5ea,card,9S\n", 'line 2: "ac8c5ea": This id has an odd number'),
        ("uid,kind,name\n45C52583,hat,9S\n", 'line 2: "hat" is none of card, player, command, blank'),
        ("uid,kind,name\n45C52583,card,\n", "is no name for a tag"),
        ("uid,kind,name\n45C52583,card,9S\n45C52583,card,9H\n", "9S and 9H have the same tag id"),
        ("uid,kind,name\n" + "x" * 200_000, "line 2 is no CSV"),
        ("x" * 1_000_001, "at most 1000000 characters"),
    ],
)
def test_bad_csv(text: str, sentence: str) -> None:
    with pytest.raises(BadTags, match=sentence):
        from_csv(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x = ", "This is no TOML"),
        ("", "needs the line shoal-tags = 1"),
        ("shoal-tags = 2", "needs the line shoal-tags = 1"),
        ("shoal-tags = 1\nother = 2", "nothing but"),
        ("shoal-tags = 1\ntag = 2", "nothing but"),
        ("shoal-tags = 1\ntag = [2]", "tag 1 needs a uid"),
        ('shoal-tags = 1\n[[tag]]\nuid = "45C52583"', "needs a uid and one of card, player, command, blank"),
        ('shoal-tags = 1\n[[tag]]\nuid = "45C52583"\nhat = "x"', "tag 1: \"hat\" is none of"),
        ('shoal-tags = 1\n[[tag]]\nuid = 5\ncard = "x"', "tag 1: its values must be texts"),
        ('shoal-tags = 1\n[[tag]]\nuid = "zz"\ncard = "x"', "tag 1: \"zz\": This is no tag's id"),
        ("shoal-tags = 1\nx = " + "[" * 3000, "This is no TOML"),
    ],
)  # fmt: skip
def test_bad_toml(text: str, sentence: str) -> None:
    with pytest.raises(BadTags, match=sentence):
        from_toml(text)
