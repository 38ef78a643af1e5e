"""Games of the Go Fish family as pure functions: decks, tables, rules, bots, scenarios.

A game asks for operations on a table of cards and gets their public results; how cards are hidden is not
its concern.
"""

from .bots import BOTS, Bot, UnknownBot, bot, thinking_time
from .cards import Attribute, Deck, Face, InvalidCard
from .contract import (
    Action,
    AnyRules,
    BadAction,
    BadOption,
    BadSetup,
    Event,
    GameInfo,
    IllegalAction,
    Layout,
    Option,
    Outcome,
    Pile,
    Reason,
    Report,
    Rules,
    SeatFact,
    State,
    View,
)
from .deck_files import load_deck
from .facts import Facts
from .match import Position, replay
from .message import Message, message_of
from .open import Open
from .options import complete_options, option_text, parse_option
from .registry import UnknownGame, game
from .rng import Stream
from .simulate import play_game, simulate
from .text import action_text, deed_text, event_text, parse_deed, parse_event, seat_letters
from .toml import DataError

__all__ = [
    "BOTS",
    "Action",
    "AnyRules",
    "Attribute",
    "BadAction",
    "BadOption",
    "BadSetup",
    "Bot",
    "DataError",
    "Deck",
    "Event",
    "Face",
    "Facts",
    "GameInfo",
    "IllegalAction",
    "InvalidCard",
    "Layout",
    "Message",
    "Open",
    "Option",
    "Outcome",
    "Pile",
    "Position",
    "Reason",
    "Report",
    "Rules",
    "SeatFact",
    "State",
    "Stream",
    "UnknownBot",
    "UnknownGame",
    "View",
    "action_text",
    "bot",
    "complete_options",
    "deed_text",
    "event_text",
    "game",
    "load_deck",
    "message_of",
    "option_text",
    "parse_deed",
    "parse_event",
    "parse_option",
    "play_game",
    "replay",
    "seat_letters",
    "simulate",
    "thinking_time",
]
