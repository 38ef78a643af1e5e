"""The scenario files of the rules pass, and what is not as expected, or not sound, is told with its line."""

from pathlib import Path

import pytest

from engine import DataError
from engine.scenario import Scenario, read_scenarios, run_file, run_scenario

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "tests" / "scenarios").glob("*.toml"))
SCENARIOS = [
    pytest.param(scenario, id=f"{file.stem}-{scenario.id}")
    for file in FILES
    for scenario in read_scenarios(file.read_text("utf-8"), file.name)
]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_scenario(scenario: Scenario) -> None:
    assert run_scenario(scenario).problems == ()


def test_every_worked_scenario_is_there() -> None:
    wanted = (ROOT / "tests" / "scenarios" / "ids.txt").read_text("utf-8").split()
    there = {scenario.id for file in FILES for scenario in read_scenarios(file.read_text("utf-8"), file.name)}
    assert [name for name in wanted if name not in there] == []


EXAMPLE = """\
[[scenario]]
id = "x"
game = "go-fish"
seats = ["A", "B", "C"]
hands = { A = "9H KD", C = "4D 5D" }
books = { B = "7" }
stock = "2C"
turn = "A"
expect = { over = false }

[[scenario.play]]
do = "A: ask C 9"
[scenario.play.expect]
hands = { A = "KD 9H ?" }
hand_sizes = { A = 3 }
stock_size = 42
turn = "C"
books = { B = 1 }
scores = { A = 0, B = 1 }
public = ["C: go fish", "draw"]
knows = { C = "7C" }
unknown_to = { B = "2C" }
over = false
"""


def test_the_example_passes() -> None:
    (report,) = run_file(EXAMPLE, "x.toml")
    assert (report.id, report.line, report.problems, report.passed) == ("x", 1, (), True)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('A = "KD 9H ?"', 'A = "KD 9H"', "A holds 2C 9H KD, not KD 9H."),
        ('A = "KD 9H ?"', 'A = "KD KD ?"', "A holds 2C 9H KD, not KD KD ?."),
        ("hand_sizes = { A = 3 }", "hand_sizes = { A = 2 }", "A holds 3 cards, not 2."),
        ("stock_size = 42", "stock_size = 43", "The stock has 42 cards, not 43."),
        ('turn = "C"', 'turn = "B"', "It is the turn of C, not of B."),
        ("books = { B = 1 }", "books = { B = 2 }", "B has laid 7, not 2."),
        ("books = { B = 1 }", 'books = { A = "7" }', "A has laid nothing, not 7."),
        ("B = 1 }\npublic", "B = 0 }\npublic", "B has 1 points, not 0."),
        ('"C: go fish", "draw"', '"draw", "C: go fish"', "does not happen there"),
        ('knows = { C = "7C" }', 'knows = { C = "KD" }', "C does not know where KD is."),
        ('unknown_to = { B = "2C" }', 'unknown_to = { A = "2C" }', "A knows where 2C is."),
        ('unknown_to = { B = "2C" }', 'unknown_to = { B = "7C" }', "B knows where 7C is."),
        ('B = "2C" }\nover = false', 'B = "2C" }\nover = true', "The game is not over."),
        ('B = "2C" }\nover = false', 'B = "2C" }\nover = "x"', "instead of over: x."),
        ('B = "2C" }\nover = false', 'B = "2C" }\nwinners = ["A"]', "The winners are nobody, not A."),
        ('B = "2C" }\nover = false', 'B = "2C" }\nrejected = true', "The action should be refused."),
        (
            'B = "2C" }\nover = false',
            'B = "2C" }\nrejected = "not-held"',
            "refused for nothing, not for not-held",
        ),
        ("expect = { over = false }", "expect = { over = true }", "The game is not over."),
        ("A: ask C 9", "A: ask C 4", "is refused: not-held 4"),
        ("A: ask C 9", "A: ask C 99", "is not a rank"),
        ("A: ask C 9", "ask C 9", "does not begin with the name of a seat"),
        ('turn = "A"', 'turn = "A"\ninvalid = "x"', "The set-up should be refused."),
        ('stock = "2C"', 'stock = "9H"', "The set-up is refused: 9H is placed more often"),
        ('stock = "2C"', "stock_size = 50", "The stock can have 0 to 43 cards here, not 50."),
        ('B = "7"', 'B = "9"', "There are not 4 cards of 9 left."),
        ('B = "7"', "B = 14", "cannot be filled"),
        ('A = "9H KD"', 'A = "9H ?60"', "not enough cards to fill the hands"),
    ],
)
def test_what_is_not_as_expected_is_told(old: str, new: str, words: str) -> None:
    assert EXAMPLE.count(old) == 1
    text = EXAMPLE.replace(old, new)
    (report,) = run_file(text, "x.toml")
    assert not report.passed
    assert words in report.problems[0].text
    assert len(report.problems) == 1


def test_a_problem_has_the_line_that_expects_it() -> None:
    text = EXAMPLE.replace("stock_size = 42", "stock_size = 1").replace("hand_sizes = { A = 3 }", "")
    (report,) = run_file(text, "x.toml")
    assert [problem.line for problem in report.problems] == [13]
    (report,) = run_file(EXAMPLE.replace("ask C 9", "ask C 4"), "x.toml")
    assert [problem.line for problem in report.problems] == [12]


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("over = false }", "over = false", 9, ""),
        ('id = "x"', 'ident = "x"', 2, 'there is no key "ident" here.'),
        ('id = "x"\n', "", 1, 'the key "id" is missing.'),
        ('game = "go-fish"', 'game = "go-fsh"', 3, 'There is no game "go-fsh"; did you mean go-fish'),
        ('game = "go-fish"', "game = 3", 3, 'There is no game "3"'),
        ('["A", "B", "C"]', '["A", "B", "A"]', 4, "different names"),
        ('["A", "B", "C"]', '["A", "B b", "C"]', 4, "one word"),
        ('hands = { A = "9H KD"', 'hands = { Z = "9H KD"', 5, "there is no seat Z."),
        ('books = { B = "7" }', "books = { B = true }", 6, "a text or a number"),
        ('books = { B = "7" }', 'books = { Z = "7" }', 6, "there is no seat Z."),
        ('stock = "2C"', "stock = 2", 7, "expected `str`, got `int`."),
        ('stock = "2C"', 'deal = "2C"', 7, 'deal needs start = "deal".'),
        ('stock = "2C"', 'lake = "2C"', 7, 'there is no key "lake" here.'),
        ('stock = "2C"', 'start = "deal"', 5, 'hands does not go with start = "deal".'),
        ('turn = "A"\n', "", 1, 'the key "turn" is missing.'),
        ('turn = "A"', 'turn = "Z"', 8, "there is no seat Z."),
        ("stock_size = 42", 'stock_size = "42"', 16, "expected `int | null`, got `str`."),
        ("stock_size = 42", "size = 42", 16, 'there is no key "size" here.'),
        ('turn = "C"', 'turn = "Z"', 13, "there is no seat Z."),
        ('do = "A: ask C 9"', "repeat = 0", 12, "at least once"),
        ('do = "A: ask C 9"', 'until = "tea"', 12, "invalid enum value"),
    ],
)
def test_an_unsound_file_is_refused_with_its_line(old: str, new: str, line: int, words: str) -> None:
    assert old in EXAMPLE
    with pytest.raises(DataError) as caught:
        read_scenarios(EXAMPLE.replace(old, new, 1), "x.toml")
    assert str(caught.value).startswith(f"x.toml, line {line}: ")
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there is no [[scenario]]"),
        ("x = 1", "made of [[scenario]] tables"),
        ("[scenario]\nid = 1", "made of [[scenario]] tables"),
        (EXAMPLE + EXAMPLE, "the id x comes twice"),
    ],
)
def test_a_file_is_made_of_scenarios(text: str, words: str) -> None:
    with pytest.raises(DataError) as caught:
        read_scenarios(text, "x.toml")
    assert words in str(caught.value)


def test_filler_cards_come_from_the_end_of_unnamed_ranks() -> None:
    text = EXAMPLE.replace('A = "9H KD"', 'A = "AH QD"').replace("[scenario.play.expect]", "")
    text = text[: text.index("[[scenario.play]]")] + '[scenario.expect]\nhands = { B = "KS" }\n'
    text = text.replace("expect = { over = false }\n", "")
    (report,) = run_file(text, "x.toml")
    assert report.problems == ()


def test_a_game_is_played_until_it_is_over() -> None:
    text = EXAMPLE[: EXAMPLE.index("[[scenario.play]]")]
    play = '[[scenario.play]]\ndo = ["A: ask C K", "C: ask A 4"]\nuntil = "over"\n'
    play += 'expect = { over = "stock-empty" }\n'
    text = text.replace('stock = "2C"', 'stock = "2C 2D 2H 2S"\nstock_size = 4')
    (report,) = run_file(text + play, "x.toml")
    assert report.problems == ()
    (report,) = run_file(text + play.replace("until", "repeat").replace('"over"\ne', "2\ne"), "x.toml")
    assert report.problems == ()


def test_unused_joint_numbers_are_fine_and_missing_ones_are_not() -> None:
    text = '[[scenario]]\nid = "x"\ngame = "go-fish"\nseats = ["A", "B"]\nstart = "deal"\ncoin = [1, 0]\n'
    assert run_file(text, "x.toml")[0].passed
    for coin in ("[]", "[2]"):
        (report,) = run_file(text.replace("[1, 0]", coin), "x.toml")
        assert "joint random number" in report.problems[0].text


def test_a_key_of_the_wrong_shape_is_told_with_its_line() -> None:
    assert 'books = { B = "7" }' in EXAMPLE
    (report,) = run_file(EXAMPLE.replace('books = { B = "7" }', 'books = "7"'), "x.toml")
    (problem,) = report.problems
    assert problem.line == 6
    assert "a text or a number" in problem.text


@pytest.mark.parametrize(
    "expected", ['knows = { B = "2C R1" }', 'unknown_to = { B = "R1" }', 'hands = { A = "R1" }']
)
def test_what_is_expected_of_no_card_is_told_with_its_line(expected: str) -> None:
    start = EXAMPLE[: EXAMPLE.index("[[scenario.play]]")]
    text = f'{start}[[scenario.play]]\ndo = "A: ask C 9"\n[scenario.play.expect]\n{expected}\n'
    (report,) = run_file(text, "x.toml")
    (problem,) = report.problems
    assert problem.line == text.count("\n") - 1
    assert problem.text.startswith('"R1" is not a card')


def test_a_number_of_thousands_of_digits_is_told_with_its_line() -> None:
    with pytest.raises(DataError) as caught:
        read_scenarios(EXAMPLE.replace("stock_size = 42", "stock_size = " + "9" * 5000), "x.toml")
    assert str(caught.value) == "x.toml, line 16: a number is too long."
