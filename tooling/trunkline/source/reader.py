"""Reads one file: from bytes to a document with places, or to all its reading errors (TL0xx).

The parser's events are used as they come: nothing is constructed, an alias is never followed, and
a depth of any size costs no stack.
"""

from functools import cached_property
from typing import Any

import yaml

from trunkline.finding import Finding, Mark, error
from trunkline.source.decoding import decode
from trunkline.source.document import Document, Place
from trunkline.source.plain import Ambiguous, plain_scalar
from trunkline.source.quoting import quoted, quoting_help, shown
from trunkline.source.syntax import about_sign, end_of_plain_text, syntax_finding

DEEPEST = 100
MOST_VALUES = 40_000
MOST_FINDINGS = 200  # of one file: more would help nobody and bury the other files

_NO_KEY: Any = object()


class _Open:
    """A mapping or list that has begun and not ended. `key` is a mapping's key without value."""

    __slots__ = ("flow", "is_key", "is_map", "key", "key_place", "places", "start", "values")

    def __init__(self, is_map: bool, flow: bool, is_key: bool, start: Any) -> None:
        self.is_map, self.flow, self.is_key, self.start = is_map, flow, is_key, start
        self.values: Any = {} if is_map else []
        self.places: Any = {} if is_map else []
        self.key: Any = _NO_KEY
        self.key_place: Place = ()


def read_document(path: str, kind: str, raw: bytes) -> tuple[Document | None, list[Finding]]:
    """The document in `raw`, or None and every reading error of the file; never raises."""
    text = decode(path, raw)
    if isinstance(text, list):
        return None, text
    reading = _Reading(path, text)
    reading.run(raw)
    if reading.findings:
        return None, reading.findings
    return Document(path, kind, reading.root, reading.root_place, text), []


class _Reading:
    """One pass over the events of one file."""

    def __init__(self, path: str, text: str) -> None:
        self.path, self.text = path, text
        self.findings: list[Finding] = []
        self.root: Any = None
        self.root_place: Place = ()
        self.stack: list[_Open] = []
        self.aliases: set[str] = set()
        self.last_end: tuple[int, int] = (0, 0)

    @cached_property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    def run(self, raw: bytes) -> None:
        loader = yaml.CSafeLoader(raw)
        get_event = loader.get_event
        documents = values = 0
        while True:
            try:
                event: Any = get_event()
            except yaml.YAMLError as problem:
                self._syntax(problem)
                return
            kind = type(event)
            if kind is yaml.ScalarEvent:
                self._scalar(event)
            elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
                self._open(event, kind is yaml.MappingStartEvent)
                if len(self.stack) > DEEPEST:
                    message = f"this file is too deep: more than {DEEPEST} levels"
                    self._say("TL001", event, message, "Write it flatter.")
                    return
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                self._close(event)
            elif kind is yaml.AliasEvent:
                if event.anchor not in self.aliases:  # one that is used often is one fault
                    self.aliases.add(event.anchor)
                    self._say("TL003", event, *about_sign(f"*{event.anchor}"))
                self._attach(None, self._place(event))
            elif kind is yaml.DocumentStartEvent:
                documents += 1
                if documents > 1:
                    message = "a second document begins here: a file holds one"
                    self._say("TL001", event, message, "Delete the `---`, or use a second file.")
                    return
                continue
            elif kind is yaml.StreamEndEvent:
                return
            else:
                continue
            values += 1
            if values > MOST_VALUES:
                message = f"this file is too large: more than {MOST_VALUES} values"
                self._say("TL001", event, message, "Split it, or move data out of it.")
                return
            if len(self.findings) >= MOST_FINDINGS:
                message = f"{MOST_FINDINGS} faults up to here; the rest of the file was not read"
                self._say("TL001", event, message, "Mend these first.")
                return

    def _scalar(self, event: Any) -> None:
        text: str = event.value
        value: Any = text
        if event.tag is not None or event.anchor is not None:
            self._sign(event)
        elif event.style == "":
            value = plain_scalar(text)
            if type(value) is Ambiguous:
                self._ambiguous(event, text, value.reason)
                value = text
        start, end = event.start_mark, event.end_mark
        self.last_end = (end.line, end.column)
        place = (start.line, start.column, end.line, end.column)
        top = self.stack[-1] if self.stack else None
        if top is None or not top.is_map or top.key is not _NO_KEY:
            self._attach(value, place)
        else:
            self._key(top, event, value, place)

    def _key(self, top: _Open, event: Any, value: Any, place: Place) -> None:
        text: str = event.value
        if event.style == "" and text == "<<":
            help = "Write the keys out; a shared flow is the way to say something once."
            self._say("TL003", event, "a merge key `<<`, which is not used here", help)
        elif value is not text and type(value) is not int:
            # A digit that stands for a key of the telephone is the same text for every reader.
            self._ambiguous(event, text, "is not read as text")
        if text in top.values:
            first = top.places[text][0][0] + 1
            help = f"The first is on line {first}. Rename one, or put the two together."
            self._say("TL002", event, f"the key {shown(text)} stands twice", help)
        top.key, top.key_place = text, place

    def _open(self, event: Any, is_map: bool) -> None:
        if event.tag is not None or event.anchor is not None:
            self._sign(event)
        top = self.stack[-1] if self.stack else None
        is_key = top is not None and top.is_map and top.key is _NO_KEY
        if is_key:
            self._complex_key(event)
        self.stack.append(_Open(is_map, event.flow_style, is_key, event.start_mark))

    def _close(self, event: Any) -> None:
        done = self.stack.pop()
        if done.flow:
            self.last_end = (event.end_mark.line, event.end_mark.column)
        place = (done.start.line, done.start.column, *self.last_end, done.places)
        if done.is_key:
            self._stand_in(self.stack[-1], place)
        else:
            self._attach(done.values, place)

    def _attach(self, value: Any, place: Place) -> None:
        if not self.stack:
            self.root, self.root_place = value, place
            return
        top = self.stack[-1]
        if not top.is_map:
            top.values.append(value)
            top.places.append(place)
        elif top.key is _NO_KEY:  # an alias in the place of a key
            self._stand_in(top, place)
        else:
            top.values[top.key] = value
            top.places[top.key] = (top.key_place, place)
            top.key = _NO_KEY

    def _stand_in(self, top: _Open, place: Place) -> None:
        """A key that no text can spell, for one that is no text: its finding has been told."""
        top.key, top.key_place = f"\0{len(top.values)}", place

    def _place(self, event: Any) -> Place:
        start, end = event.start_mark, event.end_mark
        return start.line, start.column, end.line, end.column

    def _say(self, code: str, event: Any, message: str, help: str) -> None:
        line, column, end_line, end_column = self._place(event)
        mark = Mark(line + 1, column + 1, end_line + 1, end_column + 1)
        self.findings.append(error(code, self.path, mark, message, help))

    def _ambiguous(self, event: Any, text: str, reason: str) -> None:
        help = f"Write {quoted(text) if len(text) <= 60 else 'it in quotes'}."
        if reason.startswith(("is true", "is false")):
            help = f"{help[:-1]} for the text, or {reason.split()[1]} for the truth value."
        self._say("TL004", event, f"{shown(text)} without quotes {reason}", help)

    def _sign(self, event: Any) -> None:
        """A tag or an anchor; the help quotes what was probably meant as text."""
        line = self.lines[event.start_mark.line]
        start = event.start_mark.column
        self._say("TL003", event, *about_sign(line[start : end_of_plain_text(line, start)]))

    def _complex_key(self, event: Any) -> None:
        if type(event) is yaml.MappingStartEvent and event.flow_style:
            message = "text that begins with `{{` is not text for YAML"
            line = self.lines[self._place(event)[0]]
            start = max(self._place(event)[1] - 1, 0)
            if line.startswith("{{", start):
                text = line[start : end_of_plain_text(line, start)]
                self._say("TL001", event, message, quoting_help(text, "Quote all of it"))
                return
        self._say("TL001", event, "a key must be text, not a list or a mapping", "Quote the text.")

    def _syntax(self, problem: yaml.YAMLError) -> None:
        finding = syntax_finding(self.path, problem, self.text)
        # Text that was torn apart at its beginning is one fault, though the parser stumbles twice.
        if not any(earlier.line == finding.line for earlier in self.findings):
            self.findings.append(finding)
