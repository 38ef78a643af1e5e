"""Every legal action of random games can be tapped, and what was tapped is that action and no other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import pytest

from cli.tabletop.controller import Controller
from engine.contract import Action, AnyRules, Outcome, View
from engine.match import Position
from engine.open import Open
from engine.registry import game
from engine.rng import Stream
from engine.table import Choose, Tick

from .rig import Hand, acts, said, setting_of
from .tapping import taps_for

NAMES = ("Ann", "Ben", "Cy")
TRIED = 6
"""Actions tried at one decision, besides the first and the last; there may be hundreds."""

ALIKE = 4
"""Decisions of one kind that are tried."""

MOST_GAMES = 8
"""Random games in which all kinds of decisions come up."""

GAMES: dict[str, tuple[str, Mapping[str, str]]] = {
    "go-fish": ("go-fish", {}),
    "go-fish, cards": ("go-fish", {"ask_mode": "card", "end_mode": "all_books"}),
    "go-fish, two packs": ("go-fish", {"deck": "104", "hand_size": "16"}),
    "go-fish, one of them": ("go-fish", {"give_amount": "one"}),
    "go-fish, jokers": ("go-fish", {"deck": "54", "book_size": "2"}),
    "one-fish": ("one-fish", {"stars": "4"}),
    "casino": ("casino", {}),
    "casino, split": ("casino", {"dealer_takes_from": "split"}),
    "discount-salmon": ("discount-salmon", {}),
    "discount-salmon, turns": ("discount-salmon", {"pace": "turns"}),
}

SEEN_VERBS = {
    "go-fish": {"ask"},
    "go-fish, cards": {"ask"},
    "go-fish, two packs": {"ask", "lay"},
    "go-fish, one of them": {"ask", "give"},
    "go-fish, jokers": {"ask"},
    "one-fish": {"ask", "give", "pick", "lay", "decline"},
    "casino": {"draw deck", "draw pool", "take", "fill", "swap", "keep", "discard", "hand back"},
    "casino, split": {"draw deck", "draw pool", "take", "pass", "keep", "discard", "hand back"},
    "discount-salmon": {"flip", "play", "drop"},
    "discount-salmon, turns": {"flip", "play", "pass", "drop"},
}


def decisions(
    rules: AnyRules, options: Mapping[str, str], seed: int
) -> Iterator[tuple[int, View[object], tuple[Action, ...], bool]]:
    """Every decision of a random game: seat, view, what is legal, and whether it is a race."""
    rng = Stream(seed, rules.info.id)
    position = Position.start(rules, options, len(NAMES))
    dealer = Open(position, rng)
    asked: list[tuple[int, View[object], tuple[Action, ...], bool]] = []

    def decide(at: Position, seat: int, actions: tuple[Action, ...]) -> Action:
        asked.append((seat, dealer.view(at, seat), actions, False))
        return rng.choice(actions)

    while not isinstance(op := position.pending, Outcome):
        if not isinstance(op, Choose | Tick):
            position, _events = position.feed(dealer.resolve(position, decide))
            yield from asked
            asked.clear()
            continue
        deeds = []
        for seat in op.seats:
            view = dealer.view(position, seat)
            legal = rules.legal(view)
            if not (isinstance(op, Choose) and op.wish):
                yield seat, view, legal, isinstance(op, Tick)
            deeds.append((seat, rules.deed(view, rng.choice(legal))))
        position, _events = position.feed(dealer.decided(position, deeds))


def sampled(actions: tuple[Action, ...], rng: Stream) -> list[Action]:
    some = [rng.choice(actions) for _ in range(TRIED)]
    return list(dict.fromkeys([actions[0], actions[-1], *some]))


@pytest.mark.parametrize("name", GAMES)
def test_every_legal_action_can_be_tapped(name: str) -> None:
    game_name, options = GAMES[name]
    rules = game(game_name)
    deck = rules.deck(rules.options(options, len(NAMES)))
    rng = Stream(7, name)
    verbs = set()
    settings = [setting_of(rules, deck, NAMES, (seat,)) for seat in range(len(NAMES))]
    tried: Counter[tuple[str, ...]] = Counter()
    for seed in range(MOST_GAMES):
        if verbs >= SEEN_VERBS[name]:
            break
        for seat, view, actions, is_race in decisions(rules, options, seed):
            kind = tuple(sorted({action.verb for action in actions}))
            tried[kind] += 1
            if tried[kind] > ALIKE:
                if verbs >= SEEN_VERBS[name]:
                    break
                continue
            mode = Controller(settings[seat])
            hand = Hand(mode)
            for action in sampled(actions, rng):
                if action.verb == "wait":
                    continue
                verbs.add(action.verb)
                hand.fresh()
                taps = taps_for(game_name, deck, action, actions, NAMES, rng)
                if is_race:
                    mode.raced(hand.now, seat, view, actions)
                    mode.told(hand.now, seat, _happened(), view)
                    found = [act for tap in taps for act in acts(hand.tap(*tap))]
                    assert [act.action for act in found] == [Action("play", cards=(c,)) for c in action.cards]
                    mode = Controller(settings[seat])
                    hand = Hand(mode, hand.now)
                    continue
                mode.asked(hand.now, seat, view, actions, None)
                outputs = []
                for place, tap in enumerate(taps):
                    outputs = hand.tap(*tap)
                    if acts(outputs):
                        assert place == len(taps) - 1, (action, taps, outputs)
                if not acts(outputs):
                    before = said(outputs)
                    outputs = hand.tap("command", "ok")
                    assert acts(outputs), (action, taps, before, said(outputs))
                (act,) = acts(outputs)
                assert (act.seat, act.action) == (seat, action), taps
    assert verbs >= SEEN_VERBS[name], SEEN_VERBS[name] - verbs


def _happened() -> object:
    from p2p.session import Happened

    return Happened((), ())
