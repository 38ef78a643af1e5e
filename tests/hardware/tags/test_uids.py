"""Spellings of one tag, and ids that are of no use."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.uids import Flaw, Numbers, Relation, Technology, Uid, UnclearUid, flaws, forms, parse, unpadded


def b(text: str) -> bytes:
    return bytes.fromhex(text)


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("04A3C6CAE26180", "04A3C6CAE26180"),
        ("04 a3 c6 ca e2 61 80", "04A3C6CAE26180"),
        ("04:A3:C6:CA:E2:61:80", "04A3C6CAE26180"),
        ("04-A3-C6-CA-E2-61-80", "04A3C6CAE26180"),
        ("04.A3.C6.CA.E2.61.80", "04A3C6CAE26180"),
        ("4 A3 C6 CA E2 61 80", "04A3C6CAE26180"),
        ("0x04A3C6CAE26180", "04A3C6CAE26180"),
        ("10,94,140,172", "0A5E8CAC"),
        ("0006102437", "005D1DA5"),
        ("6102437", "005D1DA5"),
        ("06102437", "005D1DA5"),
        ("81610481061", "13005D1DA5"),
        ("093,07589", "5D1DA5"),
        ("093:07589", "5D1DA5"),
        ("1170548099", "45C52583"),
        ("2200290629", "8325C545"),
        ("13005D1DA5", "13005D1DA5"),
        ("E0040100078E3BB0", "E0040100078E3BB0"),
        ("30751FEB705C5904E3D50D70", "30751FEB705C5904E3D50D70"),
        ("em4100:13005D1DA5", "13005D1DA5"),
        ("  45C52583\r\n", "45C52583"),
    ],
)  # fmt: skip
def test_p13_spellings(text: str, data: str) -> None:
    assert parse(text).data == b(data)


def test_a_run_of_digits_has_several_readings() -> None:
    uid = parse("06102437")
    assert {uid.data, *uid.also} == {b("005D1DA5"), b("06102437"), b("5D1DA5"), b("3D0985")}
    assert parse("06102437", numbers=Numbers.HEXADECIMAL).data == b("06102437")
    assert parse("06102437", numbers=Numbers.HEXADECIMAL).also == ()
    assert b("5D1DA5") in parse("09307589").also, "facility 093, number 07589"
    assert parse("0006102437").also == (b("0006102437"),)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ac8c5ea", "leading zero"), ("4e7b2a9", "leading zero"), ("EDBA996", "leading zero"),
        ("hello", "no tag's id"), ("", "no tag's id"), ("04 A3", "no tag's id"), ("999,99999", "no tag's id"),
        ("12", "an id of 2 digits"), ("F" * 130, "an id of 130 digits"),
        ("AABBCCDDEEFF", "an id of 12 digits"),
        ("em4100:", "two digits"), ("iso14443a:zz", "two digits"),
        ("AA " * 62 + "AA", "63 bytes"),
    ],
)  # fmt: skip
def test_p12_texts_that_are_no_id(text: str, words: str) -> None:
    with pytest.raises(UnclearUid, match=words):
        parse(text)


def test_p12_two_zeros_may_be_lost() -> None:
    assert parse("4a3c6c").data == b("4A3C6C"), (
        "six digits that a person types may be those of a Wiegand reader"
    )
    with pytest.raises(UnclearUid, match="an id of 6 digits"):
        parse("4a3c6c", numbers=Numbers.HEXADECIMAL)


@given(st.text(max_size=80))
def test_no_text_breaks_it(text: str) -> None:
    for numbers in Numbers:
        try:
            uid = parse(text, numbers=numbers)
        except UnclearUid:
            continue
        assert parse(str(uid)) == uid


@given(st.binary(min_size=1, max_size=62), st.sampled_from(Technology))
def test_the_canonical_text_reads_back(data: bytes, technology: Technology) -> None:
    uid = Uid(data, technology)
    assert parse(str(uid)) == uid
    assert parse(str(uid)).technology is technology


@given(st.sampled_from([4, 5, 7, 8, 10, 12]), st.data())
def test_separated_and_bare_hexadecimal_agree(size: int, source: st.DataObject) -> None:
    data = source.draw(st.binary(min_size=size, max_size=size))
    for text in (data.hex(), data.hex(" "), data.hex(":").upper(), data.hex("-")):
        assert parse(text, Technology.EM4100, Numbers.HEXADECIMAL).data == data


def test_p16_the_check_byte() -> None:
    assert parse("DD17380AF8", Technology.ISO14443A).data == b("DD17380A")
    assert parse("DD17380AF8").also[-1:] == (b("DD17380A"),)
    assert parse("DD17380AF8", Technology.EM4100).data == b("DD17380AF8")
    assert parse("DD17380AF9", Technology.ISO14443A).data == b("DD17380AF9")


def test_flaws() -> None:
    assert flaws(Uid(b("0000000000"))) == (Flaw.EMPTY,)
    assert flaws(Uid(b("FFFFFFFF"))) == (Flaw.EMPTY,)
    for random in ("0824A937", "080D3523"):
        assert flaws(Uid(b(random), Technology.ISO14443A)) == (Flaw.RANDOM,)
    assert flaws(Uid(b("0824A937"), Technology.EM4100)) == ()
    assert flaws(Uid(b("8804A3C6"))) == (Flaw.CUT,)
    assert flaws(Uid(b("8804A3C6"), sak=0x04)) == (Flaw.CUT,)
    assert flaws(Uid(b("88776655"), sak=0x08)) == (Flaw.LIKE_CUT,)
    assert flaws(Uid(b("5D1DA5"))) == (Flaw.SHORTENED,)
    assert flaws(Uid(b("04A3C6CAE26180"))) == ()


def test_what_readers_make_of_a_tag() -> None:
    def of(data: str) -> dict[bytes, Relation]:
        made: dict[bytes, Relation] = {}
        for form, relation in forms(b(data)):
            made.setdefault(form, relation)
        return made

    em = of("13005D1DA5")
    assert em[b("005D1DA5")] == Relation.SHORTENED
    assert em[b("5D1DA5")] == Relation.SHORTENED
    assert of("45C52583")[b("8325C545")] == Relation.REVERSED
    assert of("DD17380A")[b("DD17380AF8")] == Relation.CHECK_BYTE
    assert of("04A3C6CAE26180")[b("8804A3C6")] == Relation.CUT
    assert of("E0040100078E3BB0")[b("B03B8E07000104E0")] == Relation.REVERSED
    assert of("04A3C6CAE26180")[b("CAE26180")] == Relation.SHORTENED


def test_unpadded() -> None:
    assert unpadded(b("04E7B2A9")) == "4e7b2a9"
    assert unpadded(b("AC8C5E0A")) == "ac8c5ea"


def test_a_uid_has_bytes() -> None:
    for size in (0, 63):
        with pytest.raises(ValueError, match="1 to 62 bytes"):
            Uid(bytes(size))
