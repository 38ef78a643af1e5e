"""Keeps the catalogue of texts: collects them from the source, updates and compiles every translation.

    python scripts/messages.py          after a change of texts, or of a translation (``make messages``)
    python scripts/messages.py --check  whether that would change anything

docs/translating.md describes how to go on from there.
"""

from __future__ import annotations

import ast
import inspect
import io
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "cli" / "locale"
POT = LOCALE / "shoal.pot"
SENTENCES = LOCALE / "sentences.txt"

HEADER = "# Texts of Shoal. Made by scripts/messages.py; docs/translating.md says how to go on."

SINGLE = {"_": 1, "gettext": 1, "N_": 1, "Message": 1}
PLURAL = {"ngettext", "NN_"}

# In the peer-to-peer layer: what is called with a sentence, and which argument that is.
SAYING = {
    "BadCharter": 0, "BadName": 0, "Damaged": 0, "Malformed": 0, "OSError": 0, "Refused": 0, "SetupError": 0,
    "PeerFault": 1, "ProofRejected": 1, "_convict": 1, "_on_refused": 1, "_refuse": 1, "Cheated": 2,
    "BadFeed": 0, "Lost": 0, "WatchRefused": 0,
}  # fmt: skip
NAMED = {"reason", "NO_DISCOVERY", "detail", "details", "DISORDER", "FULL", "NOBODY"}
"""Names that such a sentence is given to."""

EXPLAINED = {"ExplainedError", "LinkError", "LocalError", "PeerFault", "StoreError"}
"""Errors whose docstring is their message, as that of the classes made from them."""

NOT_FOR_PLAYERS = {"sealed/testgroup.py", "io/sodium.py", "sealed/ristretto.py"}
"""Modules whose errors are wrapped by others, or come up in tests only."""


@dataclass(slots=True)
class Text:
    """A text to translate."""

    message: str
    plural: str = ""
    context: str = ""
    comments: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)


def collected() -> dict[tuple[str, str], Text]:
    """All texts by context and message, in the order of the files."""
    found: dict[tuple[str, str], Text] = {}
    for package in ("cli", "engine"):
        for path in sorted((ROOT / package).rglob("*.py")):
            for text in in_module(path.read_text("utf-8")):
                _add(found, text, path)
    for sentence, path in (peers() | devices()).items():
        _add(found, Text(sentence), ROOT / path)
    return found


def _add(found: dict[tuple[str, str], Text], text: Text, path: Path) -> None:
    known = found.setdefault((text.context, text.message), text)
    known.plural = known.plural or text.plural
    known.comments += [each for each in text.comments if each not in known.comments]
    name = path.relative_to(ROOT).as_posix()
    if name not in known.files:
        known.files.append(name)


def in_module(source: str) -> Iterator[Text]:
    """The texts of a module of the engine or of the front end."""
    tree = ast.parse(source)
    comments = _comments(source)
    constants = {
        node.targets[0].id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    }
    for node in _in_order(tree):
        if isinstance(node, ast.Call):
            yield from _of_call(node, constants, comments)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _is_command(node):
            text = ast.get_docstring(node, clean=True)
            if text:
                yield Text(inspect.cleandoc(text))


def _in_order(tree: ast.AST) -> list[ast.AST]:
    return sorted(
        ast.walk(tree), key=lambda node: (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))
    )


def _of_call(node: ast.Call, constants: dict[str, str], comments: dict[int, str]) -> Iterator[Text]:
    name = _name(node.func)
    said = [comments[line] for line in (node.lineno - 1,) if line in comments]
    strings = [_string(each, constants) for each in node.args]
    if name in SINGLE and strings and strings[0]:
        yield Text(strings[0], comments=said)
    elif name in PLURAL and len(strings) > 1 and strings[0] and strings[1]:
        yield Text(strings[0], plural=strings[1], comments=said)
    elif name == "pgettext" and len(strings) > 1 and strings[0] and strings[1]:
        yield Text(strings[1], context=strings[0], comments=said)
    if name in ("option", "argument", "Option"):
        for keyword in node.keywords:
            text = _string(keyword.value, constants)
            if keyword.arg in ("help", "metavar") and text:
                yield Text(text)


def _is_command(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(
        isinstance(each, ast.Call) and _name(each.func) in ("command", "group")
        for each in node.decorator_list
    )


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _string(node: ast.expr, constants: dict[str, str]) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return constants.get(node.id, "") if isinstance(node, ast.Name) else ""


def _comments(source: str) -> dict[int, str]:
    """Last line of each comment that begins with "Translators:" -> the comment."""
    found: dict[int, str] = {}
    last, text = -1, ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        line, body = token.start[0], token.string.lstrip("# ")
        if line == last + 1 and text:
            del found[last]
            text = f"{text} {body}"
        else:
            text = body if body.startswith("Translators:") else ""
        last = line
        if text:
            found[line] = text
    return found


# --- the peer-to-peer layer -------------------------------------------------------------------------------


def peers() -> dict[str, str]:
    """The sentences of the peer-to-peer layer as templates, each with its file."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / "p2p").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if name.removeprefix("p2p/") in NOT_FOR_PLAYERS:
            continue
        for template in _of_peer(ast.parse(path.read_text("utf-8"))):
            found.setdefault(template, name)
    return {each: found[each] for each in sorted(found) if " " in each and "The message" not in each}


def _of_peer(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node.func) in SAYING:
            number = SAYING[_name(node.func)]
            if len(node.args) > number:
                yield from _templates(node.args[number])
        elif isinstance(node, ast.Call):
            for keyword in node.keywords:
                if keyword.arg in ("what", "remedy", "detail", "reason"):
                    yield from _templates(keyword.value)
        elif isinstance(node, ast.Assign) and any(_name(each) in NAMED for each in node.targets):
            yield from _templates(node.value)
        elif isinstance(node, ast.FunctionDef) and node.name in ("_bad_name", "_detail", "refusal"):
            for part in ast.walk(node):
                if isinstance(part, ast.Return) and part.value is not None:
                    yield from _templates(part.value)
        elif isinstance(node, ast.ClassDef) and any(
            _name(each).endswith(("Error", "Fault")) for each in node.bases
        ):
            paragraph = " ".join(inspect.cleandoc(ast.get_docstring(node) or "").partition("\n\n")[0].split())
            if paragraph and not any(isinstance(each, ast.FunctionDef) for each in node.body):
                yield re.sub(r"\{(\w+):\w+\}", r"{\1}", paragraph)


def _templates(node: ast.expr) -> Iterator[str]:
    """A text with its fields in braces; both sides of a choice."""
    if isinstance(node, ast.IfExp):
        yield from _templates(node.body)
        yield from _templates(node.orelse)
    elif isinstance(node, ast.BoolOp):
        for each in node.values:
            yield from _templates(each)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        parts, names = [], []
        for each in node.values:
            if isinstance(each, ast.Constant):
                parts.append(str(each.value))
            elif isinstance(each, ast.FormattedValue):
                name = _field(each.value)
                while name in names:
                    name += "_"
                names.append(name)
                parts.append("{" + name + "}")
        yield "".join(parts)


def _field(node: ast.expr) -> str:
    words = re.findall(r"[A-Za-z]\w*", ast.unparse(node))
    return str(words[-1]).lower() if words else "value"


# --- devices ----------------------------------------------------------------------------------------------

SENTENCE = re.compile(r'[A-Z{"].* .*(?:[.?]"?|[.?] \{\w+\})', re.DOTALL)
"""What begins like a sentence and ends like one, perhaps with another sentence behind it."""

PIECES = {"Failed": 0, "Unusable": 0, "Finding": 2}
"""In `hardware`: what is called with a piece of a sentence, and which argument that is."""

PIECES_NAMED = {"_SPELLED", "_PATTERNS", "_SOUNDS", "others", "saw", "title"}


def devices() -> dict[str, str]:
    """The sentences of `hardware` as templates, each with its file: whatever looks like one."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / "hardware").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        for template in _of_device(ast.parse(path.read_text("utf-8"))):
            found.setdefault(template, name)
    return {each: found[each] for each in sorted(found)}


def _of_device(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value.value = ""  # a docstring
        elif isinstance(node, ast.JoinedStr):
            yield from (each for each in _templates(node) if SENTENCE.fullmatch(each))
            node.values = []
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from (each for each in (node.value,) if SENTENCE.fullmatch(each))
        elif isinstance(node, ast.Call) and len(node.args) > PIECES.get(_name(node.func), 99):
            yield from _templates(node.args[PIECES[_name(node.func)]])
        elif isinstance(node, ast.Assign) and any(_name(each) in PIECES_NAMED for each in node.targets):
            whole = isinstance(node.value, ast.Dict | ast.Tuple)
            parts = [each for each in ast.walk(node.value) if isinstance(each, ast.expr)]
            parts = parts if whole else [node.value]
            yield from (text for part in parts for text in _templates(part))
        elif isinstance(node, ast.Assign) and any(_name(each) == "HELP" for each in node.targets):
            yield from (text for pair in ast.walk(node.value) if isinstance(pair, ast.Tuple)
                        for each in pair.elts[1:] for text in _templates(each) if " " in text)  # fmt: skip


# --- files ------------------------------------------------------------------------------------------------


class Steady(Catalog):
    """A catalogue whose header does not change with the version of the library that writes it."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        """All headers but one."""
        return [(name, value) for name, value in super().mime_headers if name != "Generated-By"]

    @mime_headers.setter
    def mime_headers(self, headers: Iterable[tuple[str, str]]) -> None:
        Catalog.mime_headers.fset(self, headers)


def template_catalogue(texts: Iterable[Text]) -> Catalog:
    """The catalogue without translations."""
    return _filled(_steady(Catalog(project="shoal", version="1")), texts)


def _steady(catalogue: Catalog) -> Catalog:
    catalogue.__class__ = Steady  # the library makes its own when it reads a file
    catalogue.header_comment = HEADER
    catalogue.msgid_bugs_address = catalogue.last_translator = catalogue.language_team = ""
    # One day for all, so that the files change only where texts do.
    catalogue.creation_date = catalogue.revision_date = datetime(2026, 1, 1, tzinfo=UTC)
    return catalogue


def _filled(catalogue: Catalog, texts: Iterable[Text]) -> Catalog:
    for text in texts:
        catalogue.add(
            (text.message, text.plural) if text.plural else text.message,
            context=text.context or None,
            locations=[(name, 1) for name in text.files],
            auto_comments=text.comments,
        )
    return catalogue


def po_bytes(catalogue: Catalog) -> bytes:
    """The text form of a catalogue."""
    out = io.BytesIO()
    write_po(out, catalogue, width=100, include_lineno=False, ignore_obsolete=True)
    return out.getvalue()


def mo_bytes(catalogue: Catalog) -> bytes:
    """The compiled form of a catalogue."""
    out = io.BytesIO()
    write_mo(out, catalogue)
    return out.getvalue()


def read_translation(path: Path) -> Catalog:
    """A catalogue with translations."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parent.parent.name)


def files() -> dict[Path, bytes]:
    """What all files of the catalogue should hold, from the source and the translations there are."""
    texts = collected()
    template = template_catalogue(texts.values())
    wanted = {
        POT: po_bytes(template),
        SENTENCES: "".join(f"{each}\n" for each in sorted(peers() | devices())).encode(),
    }
    for path in sorted(LOCALE.glob("*/LC_MESSAGES/shoal.po")):
        translation = read_translation(path)
        translation.update(template, no_fuzzy_matching=True, update_header_comment=False)
        _steady(translation)
        wanted[path] = po_bytes(translation)
        wanted[path.with_suffix(".mo")] = mo_bytes(translation)
    return wanted


def main(check: bool) -> int:
    """Write the files, or say which are not current."""
    changed = [path for path, data in files().items() if not path.exists() or path.read_bytes() != data]
    for path in changed:
        print(("out of date: " if check else "written: ") + path.relative_to(ROOT).as_posix())
    if not check:
        for path, data in files().items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    return 1 if check and changed else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
