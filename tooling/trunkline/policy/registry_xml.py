"""The registry's XML: `<list type='full' val='212'><ac val='212'><ph val='5550143'/>…</ac></list>`.

Read as it comes, so that memory stays flat, and without trust: no document type, no entity, no
depth, no tag without end. Source: files of the National Do Not Call Registry as public importers
read them. The registry tells only its subscribers how a change is tagged, so one is read as in the
flat change list: the attributes of its `ph` say once whether the number was added or deleted.
"""

import re
from array import array
from collections.abc import Iterable, Iterator, Mapping
from typing import NoReturn
from xml.parsers import expat

from trunkline.policy.registry_entries import Action, BadLine, Entries, action_of

_PIECE = 1 << 18
# Numbers of one area code that are handed on together.
_MANY = 500_000
_DEEPEST = 8
_LONGEST_TAG = 1 << 16
_AREA = re.compile(r"[2-9]\d\d", re.ASCII).fullmatch
_NUMBER = re.compile(r"[2-9]\d{6}", re.ASCII).fullmatch
_CHANGES = re.compile(r"ch(an)?ge?|delta|diff", re.IGNORECASE)


class UnreadableXml(ValueError):
    """XML that ends too early, is not well-formed, or holds what no list of numbers needs."""


def looks_like_xml(beginning: bytes) -> bool:
    """Whether a file that begins like this is XML, in whatever encoding."""
    return beginning.lstrip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n").startswith(b"<")


class RegistryXml:
    """One XML file. Iterate `entries` once; then `bad` and `count` say what was found."""

    def __init__(self, name: str, changes: bool) -> None:
        self.bad: list[BadLine] = []
        self.count = 0
        self._name = name
        self._changes = changes
        self._ready: list[Entries] = []
        self._run: array[int] = array("I")
        self._kind: tuple[Action, str] | None = None
        # The area code of the run, where nothing but the number itself needs to be looked at; else
        # what no area code is.
        self._plain = ""
        # The area code that holds within each element that is open.
        self._areas: list[str | None] = []
        self._parser = parser = expat.ParserCreate()
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = self._doctype

    def entries(self, chunks: Iterable[bytes]) -> Iterator[Entries]:
        """Every entry of a file that comes in chunks, in order. Raises UnreadableXml."""
        fed = 0
        for chunk in _small(chunks):
            # A list of digits needs none, and what is not there cannot be expanded.
            if b"&" in chunk:
                raise UnreadableXml(f"{self._name}: an entity (&) has no place in such a list")
            self._parse(chunk, False)
            fed += len(chunk)
            if fed - max(self._parser.CurrentByteIndex, 0) > _LONGEST_TAG + _PIECE:
                self._refuse("a tag does not end")
            yield from self._taken()
        self._parse(b"", True)
        self._flush()
        yield from self._taken()

    def _parse(self, chunk: bytes, last: bool) -> None:
        try:
            self._parser.Parse(chunk, last)
        except expat.ExpatError as problem:
            place = f"{self._name} line {problem.lineno}"
            raise UnreadableXml(f"{place}: {expat.ErrorString(problem.code)}") from None

    def _taken(self) -> Iterator[Entries]:
        if len(self._run) >= _MANY:
            self._flush()
        ready, self._ready = self._ready, []
        yield from ready

    def _start(self, tag: str, said: Mapping[str, str]) -> None:
        areas = self._areas
        if tag == "ph" and areas:
            self.count += 1
            number = said.get("val", "")
            # All but a few hundred are like this; each call that is spared is minutes in the end.
            if len(said) == 1 and areas[-1] == self._plain and _NUMBER(number):
                self._run.append(int(number))
            else:
                self._number(number, areas[-1], said)
            areas.append(None)
            return
        if len(areas) >= _DEEPEST:
            self._refuse("elements lie too deep in each other")
        area = areas[-1] if areas else None
        if not areas:
            area = self._root(tag, said)
        elif tag == "ac":
            area = _area(said)
            if area is None:
                self._is_bad()
            else:
                # The file covers the area code even if nobody there is on the list.
                self._flush()
                self._ready.append(Entries("add", area, ()))
        else:
            self._is_bad()
        areas.append(area)

    def _root(self, tag: str, said: Mapping[str, str]) -> str | None:
        if tag != "list":
            self._refuse(f"the registry's files begin with <list>, this one with <{tag[:20]}>")
        kind = said.get("type", "")
        if self._changes and kind.lower() == "full":
            self._refuse("this is a full list; name it without --changes")
        if not self._changes and _CHANGES.search(kind):
            self._refuse("this is a change list; name it with --changes")
        return _area(said)

    def _number(self, number: str, area: str | None, said: Mapping[str, str]) -> None:
        words = (word for key, word in said.items() if key != "val")
        action = action_of(words, self._changes)
        if area is None or action is None or not _NUMBER(number):
            self._is_bad()
            return
        if self._kind != (action, area):
            self._flush()
            self._kind = action, area
            self._plain = "" if self._changes else area
        self._run.append(int(number))

    def _flush(self) -> None:
        if self._kind is not None and self._run:
            self._ready.append(Entries(*self._kind, self._run))
        self._run, self._kind, self._plain = array("I"), None, ""

    def _end(self, tag: str) -> None:
        self._areas.pop()

    def _text(self, text: str) -> None:
        if not text.isspace():
            self._is_bad()

    def _doctype(self, name: str, system: str | None, public: str | None, inner: int) -> None:
        if inner:
            self._refuse("a document type that declares something has no place here")

    def _is_bad(self) -> None:
        parser = self._parser
        bad = BadLine(self._name, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)
        if not self.bad or self.bad[-1] != bad:
            self.bad.append(bad)

    def _refuse(self, why: str) -> NoReturn:
        raise UnreadableXml(f"{self._name} line {self._parser.CurrentLineNumber}: {why}")


def _small(chunks: Iterable[bytes]) -> Iterator[bytes]:
    for chunk in chunks:
        yield from (chunk[at : at + _PIECE] for at in range(0, len(chunk), _PIECE))


def _area(said: Mapping[str, str]) -> str | None:
    value = said.get("val", "")
    return value if _AREA(value) else None
