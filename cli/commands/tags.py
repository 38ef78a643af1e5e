"""``shoal tags``: which tag is which card, token or command."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import click

from hardware.io import load, save
from hardware.tag_texts import MOST_TEXT, from_csv, from_toml, to_csv, to_toml
from hardware.tags import BadTags, Book, Found, Kind, Tag, check
from hardware.uids import UnclearUid, parse

from ..errors import BAD, FINE, Failure
from ..files import read_bytes, write_bytes
from ..folders import folders_here
from ..hardware_enroll import name_of, names_of
from ..language import said
from ..manner import can_show_suits
from ..options import general_options, json_option
from ..program import call_here
from ..telling import tell
from ..text import Glyphs, printable
from ..translation import gettext as _
from ..translation import ngettext
from .tags_enroll import DEFAULT_DECK, any_deck, cards_of, deck_option, enroll


@click.group("tags")
@general_options
def command() -> None:
    """Enroll tagged cards, tokens and command tags; list, check, copy and forget them.

    \b
    Example:
      shoal tags enroll --reader /dev/ttyUSB0
      shoal tags check
    """


command.add_command(enroll)


@command.command("list")
@json_option
@general_options
def list_tags(as_json: bool) -> None:
    """List all tags, with their ids.

    \b
    Example:
      shoal tags list
    """
    book = load(folders_here().tags)
    if as_json:
        click.echo(json.dumps([_facts(tag) for tag in book.tags], ensure_ascii=False))
        return
    glyphs = Glyphs(not can_show_suits())
    if not book.tags:
        tell(_("No tag is enrolled. Begin with: {command}").format(command=call_here("tags enroll")))
    for tag in book.tags:
        click.echo(f"{name_of(tag.kind, tag.name, glyphs):<12}  {_kind_word(tag.kind):<8}  {tag.uid}")


def _kind_word(kind: Kind) -> str:
    return {
        Kind.CARD: _("card"),
        Kind.PLAYER: _("player"),
        Kind.COMMAND: _("command"),
        Kind.BLANK: _("blank"),
    }[kind]


def _facts(tag: Tag) -> dict[str, str]:
    return {"uid": str(tag.uid), "kind": tag.kind.value, "name": tag.name}


@command.command("check")
@deck_option
@json_option
@general_options
def check_tags(deck: str | None, as_json: bool) -> int:
    """Check whether the tags do for a deck.

    It also names those that some readers cannot tell apart.

    \b
    Example:
      shoal tags check --deck go-fish
    """
    book = load(folders_here().tags)
    problems = check(book, cards_of(any_deck(deck or DEFAULT_DECK)))
    is_bad = any(problem.serious for problem in problems)
    if as_json:
        found = [{"serious": problem.serious, "text": said(problem.sentence)} for problem in problems]
        click.echo(json.dumps({"ok": not is_bad, "tags": len(book), "problems": found}, ensure_ascii=False))
        return BAD if is_bad else FINE
    counts = Counter(tag.kind for tag in book.tags)
    tell(
        _("{cards} cards, {players} players, {commands} commands and {blanks} blanks have tags.").format(
            cards=counts[Kind.CARD],
            players=counts[Kind.PLAYER],
            commands=counts[Kind.COMMAND],
            blanks=counts[Kind.BLANK],
        )
    )
    for problem in problems:
        mark = _("problem") if problem.serious else _("note")
        tell(f"{mark}: {said(problem.sentence)}")
    if not is_bad:
        tell(_("The deck is complete."))
    return BAD if is_bad else FINE


def _format_option(command: Any) -> Any:
    return click.option(
        "--format",
        "form",
        type=click.Choice(["toml", "csv"]),
        help="The form of the file, if its name does not end in .toml or .csv.",
    )(command)


@command.command("import")
@click.argument("file", metavar="FILE")
@_format_option
@click.option("--replace", is_flag=True, help="Forget all tags that are known now.")
@general_options
def import_tags(file: str, form: str | None, replace: bool) -> None:
    """Add the tags of a file.

    It is TOML, or CSV with the columns uid, kind and name.

    \b
    Example:
      shoal tags import deck.csv
    """
    at = folders_here()
    try:
        text = read_bytes(file, MOST_TEXT * 4).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Failure(_("{file} is no text in UTF-8.").format(file=file), code=BAD) from None
    try:
        new = from_csv(text) if _form(file, form) == "csv" else from_toml(text)
    except BadTags as error:
        raise Failure(f"{file}: {said(str(error))}", code=BAD) from None
    old = Book() if replace else load(at.tags)
    book = old.merged(new)
    save(at.tags, book)
    more = len(book) - len(old)
    text = ngettext("{n} tag is new; {all} are known now.", "{n} tags are new; {all} are known now.", more)
    tell(text.format(n=more, all=len(book)))


@command.command("export")
@click.argument("file", metavar="FILE")
@_format_option
@click.option("--force", is_flag=True, help="Overwrite FILE.")
@general_options
def export_tags(file: str, form: str | None, force: bool) -> None:
    """Write all tags to a file.

    The file - is the output.

    \b
    Example:
      shoal tags export tags.toml
      shoal tags export - --format csv
    """
    book = load(folders_here().tags)
    text = to_csv(book) if _form(file, form) == "csv" else to_toml(book)
    if file == "-":
        click.echo(text, nl=False)
        return
    path = Path(file)
    if path.exists() and not force:
        raise Failure(
            _("{path} is there already.").format(path=path), _("Name another file, or add --force.")
        )
    write_bytes(path, text.encode("utf-8"))
    tell(ngettext("{n} tag: {path}", "{n} tags: {path}", len(book)).format(n=len(book), path=path))


def _form(file: str, form: str | None) -> str:
    return form or ("csv" if Path(file).suffix.lower() == ".csv" else "toml")


@command.command("forget")
@click.argument("wanted", metavar="NAME|UID|all")
@general_options
def forget(wanted: str) -> None:
    """Forget tags, by name or by id.

    An id may be in any spelling.

    \b
    Example:
      shoal tags forget 9S
      shoal tags forget 04:A3:C6:CA:E2:61:80
    """
    at = folders_here()
    book = load(at.tags)
    gone = _meant(book, wanted)
    for tag in gone:
        book = book.without(tag.uid)
    save(at.tags, book)
    glyphs = Glyphs(not can_show_suits())
    names = ", ".join(dict.fromkeys(name_of(tag.kind, tag.name, glyphs) for tag in gone[:8]))
    text = ngettext("{n} tag is forgotten: {names}.", "{n} tags are forgotten: {names}.", len(gone))
    tell(text.format(n=len(gone), names=names + ("…" if len(gone) > 8 else "")))


def _meant(book: Book, wanted: str) -> list[Tag]:
    if wanted == "all" and book.tags:
        return list(book.tags)
    named = [tag for tag in book.tags if wanted.strip().casefold() in names_of(tag, Glyphs())]
    if named:
        return named
    try:
        found = book.find(parse(wanted))
    except UnclearUid:
        found = None
    if isinstance(found, Found):
        return [found.tag]
    shown = printable(wanted, 40)
    raise Failure(
        _('No tag is called "{name}", or has that id.').format(name=shown),
        _("{command} lists them.").format(command=call_here("tags list")),
    )
