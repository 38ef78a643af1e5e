"""What the game is called and says.

Each text is looked up in the catalogue below ``locale`` when it is shown.
"""

from pathlib import Path

from engine.contract import GameInfo, Option

INFO = GameInfo(
    id="old-maid",
    version=1,
    title="Old Maid",
    least_seats=2,
    most_seats=6,
    options=(Option("ranks", ("13",), 4, 13),),
    verbs=("first", "draw", "pair", "lay", "over"),
    targeted=("draw",),
)

LOCALE = Path(__file__).with_name("locale")

WORDS = {
    "summary": "Draw from your neighbour's hand, lay pairs, and do not keep the old maid.",
    "events": {  # about somebody else, and about you
        "draw": ("{who} draws a card from {target}.", "You draw a card from {target}."),
        "pair": ("{who} lays a pair of {ranks}.", "You lay a pair of {ranks}."),
    },
    "proofs": {"draw": "proved: a card of that hand", "pair": "proved: all there are"},
    "reasons": {
        "not-next": "You draw from the next player who has cards.",
        "no-such-place": "That hand has only so many cards: {word}.",
    },
    "endings": {"all-paired": "Only the old maid is left"},
    "score": "safe",
    "shared": ("{who} win together.", "You win together with {who}."),
    "paragraphs": [
        (
            "Setting up",
            "Two to six play with 52 cards and the old maid. All are dealt, and all pairs laid.",
        ),
        (
            "A turn",
            "Draw one card, unseen, from the next player who has any, and lay the pair it may make.",
        ),
        ("The end", "When only the old maid is left, its holder loses, and everybody else wins."),
    ],
    "options": {"ranks": "ranks in the pack, the lowest ones"},
    "values": {"ranks": {"13": "the whole pack"}},
    "rulings": [
        "Three of a rank that were dealt are a pair and one card over; its holder chooses which.",
        "20 draws in a row for each player without a pair end the game; who still has cards has lost.",
    ],
}
