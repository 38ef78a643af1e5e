"""Bytes as words that people can read to each other.

Two lists of 256 words take turns, short words (3 to 5 letters) at even places and long ones (6 to 8) at odd
places, so a word that was left out or swapped is noticed. No two of the 512 words begin with the same three
letters.
"""

from __future__ import annotations

SHORT = (  # noqa: SIM905  # quotes and commas would hide the words
    "acorn alarm album angle apple arrow aspen aunt award azure bagel balm banjo basil bath bench berry "
    "bird blade blink boat bone bowl bread brush bugle bus cabin candy cape cedar cello chess chime city "
    "cliff cloud cobra cocoa colt comet cow crab cube cup daisy dance dawn desk dice dish dock dome donut "
    "draw dress dune dust earth echo egg elbow empty epoch essay ether event fable fairy feast fence "
    "fiber field film finch flag flint foam folk frame frog fruit fur gala gem genie gift glass glue "
    "gnome goose grape gull guppy halo harp hawk hazel heart herb hill hobby holly hood horn hub huge "
    "icon idea index iris ivy jade jam jeep jelly jewel job judo juice jump kayak kelp key kilt king kite "
    "kiwi koala label lace lark lava lemon lens lily lime lip llama lotus lucky lyric mango mask maze "
    "medal menu mesh mint moon moth mouse mule music navy neck noble north novel nurse oak oasis oats "
    "olive omega opal open organ otter paint panda patio paw petal phone pick pie pilot plane plum polar "
    "pond porch prism pulse pupil queen quiz radar raft ranch razor relay ride river robin roof round "
    "royal rug ruler sand sauce seal shell siren skate slope smile snow soda soil spoon squid stem stone "
    "sugar suit surf swan taco taxi tempo tent tile tiny toast tool top tree trio tulip tweed ultra uncle "
    "urban urn vase vault vine viola visit vote wagon wave wax whale wheat wolf word yacht yard yoga "
    "young zero zinc "
).split()

LONG = (  # noqa: SIM905  # quotes and commas would hide the words
    "acrobat address aerial alchemy amazing animal answer apricot armchair athlete avenue avocado bakery "
    "barrel bedroom bicycle blossom bookcase bottle bracelet bubble buffalo builder buzzard calendar "
    "caramel century cinnamon circle coffee copper cousin creature cricket crystal culture cushion "
    "cypress darling daughter december diamond dolphin drizzle drummer dugout eclipse educate elephant "
    "emerald enamel energy enough ensemble episode equator escape evident exhibit explore factory family "
    "fathom february fervent fiction fiddle firefly fluffy football fountain foxglove friday gadget "
    "gazelle gimlet glider glossy gorilla gremlin guardian gumdrop gymnast handle hedgehog hexagon hidden "
    "hockey homework humour husband iceberg impulse include inkwell interval island jackpot jasmine "
    "javelin jigsaw journey jubilee juniper justice kernel knuckle lagoon lasagna lateral leather leisure "
    "lettuce licorice lively lizard logical luggage lumber machine magnet majestic marble maximum meadow "
    "merchant meteor million mitten mobile modern moment morning muffin mystery nation needle neighbor "
    "network nickel ninety nourish nugget obelisk obvious office opposite orange orchard origami outdoor "
    "oxygen pajamas palace passport peacock pencil perfume pharmacy pigeon pioneer pleasant popcorn "
    "pottery poultry present publish pumpkin pyramid quality raccoon reason referee republic return "
    "revolve rhubarb ribbon ripple romance rosemary rucksack sailor satchel scarlet scholar science "
    "second segment senator serious setting shovel sidewalk silver siphon sixteen sketch slipper snapshot "
    "soccer sonata soprano source special splash stadium strategy stylish sultan sunrise sweater syllable "
    "symbol tablet tapestry teapot terrace thimble thunder tiptoe tolerant tonight toucan tractor trumpet "
    "tunnel twilight umbrella unfold unpack update upstairs useful vacation valley varnish veranda "
    "veteran vibrant victor virtue volcano voyage waiter wardrobe watchful welcome whisper wildcat "
    "witness wonder wreath yearbook zeppelin zodiac "
).split()

_LISTS = (SHORT, LONG)
_PREFIX = 3
_PLACES = tuple([{word[:_PREFIX]: (number, word) for number, word in enumerate(each)} for each in _LISTS])


def words(data: bytes, count: int = 4) -> tuple[str, ...]:
    """The first ``count`` bytes of ``data``, one word each."""
    if len(data) < count:
        raise ValueError(f"{count} words need {count} bytes, not {len(data)}")
    return tuple([_LISTS[place % 2][byte] for place, byte in enumerate(data[:count])])


def parse_words(text: str) -> bytes:
    """The bytes of words typed with spaces or hyphens between; three letters of a word are enough.

    Raises ``ValueError`` with one sentence that names the first word that does not fit its place.
    """
    found = bytearray()
    for place, typed in enumerate(text.lower().replace("-", " ").split()):
        number, word = _PLACES[place % 2].get(typed[:_PREFIX], (0, ""))
        if len(typed) < _PREFIX or not word.startswith(typed):
            raise ValueError(
                f"'{typed}' is not a word for place {place + 1}; check for a typing slip or a word left out."
            )
        found.append(number)
    return bytes(found)
