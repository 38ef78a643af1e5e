"""Readers as they are named on the command line: a port and perhaps a kind."""

from __future__ import annotations

import pytest

from cli.errors import USAGE, Failure
from cli.hardware_readers import Named, parse_named


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("/dev/ttyUSB0", Named("/dev/ttyUSB0", "")),
        ("/dev/ttyUSB0:RDM6300", Named("/dev/ttyUSB0", "rdm6300")),
        ("usb:1a86:7523", Named("usb:1a86:7523", "")),
        ("usb:1a86:7523:text", Named("usb:1a86:7523", "text")),
        ("socket://192.0.2.1:4000", Named("socket://192.0.2.1:4000", "")),
        ("COM3", Named("COM3", "")),
    ],
)
def test_a_port_and_its_kind(text: str, named: Named) -> None:
    assert parse_named(text) == named


@pytest.mark.parametrize(("slip", "meant"), [("rdm6300x", "rdm6300"), ("txet", "text"), ("Pn523", "pn532")])
def test_a_kind_that_is_mistyped_is_no_part_of_the_port(slip: str, meant: str) -> None:
    with pytest.raises(Failure) as told:
        parse_named(f"/dev/ttyUSB0:{slip}")
    assert told.value.code == USAGE
    assert f'no kind of reader "{slip}"' in str(told.value)
    assert meant in str(told.value)
