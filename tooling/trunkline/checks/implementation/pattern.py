"""Patterns that constrained decoders take: regular expressions in the strict sense."""

import re
import warnings

from trunkline.checks.implementation.endless import LONGEST, is_endless

_NEITHER = "bBAZzGkKNpPRXu"  # escapes of one engine that another does not know, or that look around
_GROUP = re.compile(r"\(\?(?::|P?<[A-Za-z_]\w*>)")


def refused(pattern: str) -> str | None:
    """What in a pattern a constrained decoder refuses, as the rest of "… stands in it"; or None.

    Answers are held against the pattern by Python, too, so it must be one for Python.
    """
    if len(pattern) > LONGEST:
        return f"more than {LONGEST} characters"
    try:
        with warnings.catch_warnings():
            # Python warns of what it may read otherwise some day; that is refused below.
            warnings.simplefilter("ignore", FutureWarning)
            re.compile(pattern)
    except re.error as fault:
        return f"what is no regular expression ({fault.msg})"
    except (OverflowError, RecursionError):
        return "what is too large for a regular expression"
    found = _Scan(pattern).refused()
    if found is None and is_endless(pattern):
        return "a repetition that reads a text in several ways and can take for ever"
    return found


class _Scan:
    """One pass over a pattern that Python has accepted."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0

    def refused(self) -> str | None:
        while self.at < len(self.pattern):
            found = self._next()
            if found is not None:
                return found
        return None

    def _next(self) -> str | None:
        character, rest = self.pattern[self.at], self.pattern[self.at :]
        if character == "\\":
            return self._escape()
        if character == "[":
            return self._class()
        if character == "(" and rest[1:2] == "?":
            group = _GROUP.match(rest)
            if group is None:
                return f"`{rest[:3]}` (it looks ahead or behind, or sets a mode)"
            self.at += group.end()
            return None
        self.at += 1
        if character == "^" and not self._is_beginning(self.at - 1):
            return "a `^` that is not at the beginning"
        if character == "$" and not self._is_end(self.at):
            return "a `$` that is not at the end"
        if rest.startswith("{,"):
            return "`{,`; write `{0,`"
        if character in "*+?}" and rest[1:2] == "+":
            return f"`{rest[:2]}`, which never gives back"
        return None

    def _escape(self) -> str | None:
        escaped = self.pattern[self.at + 1]
        self.at += 2
        if escaped in "123456789":
            return f"`\\{escaped}`, which looks back"
        return f"`\\{escaped}`" if escaped in _NEITHER else None

    def _class(self) -> str | None:
        """A `[…]`: engines differ on what stands for more than itself in it."""
        self.at += 1
        if self.pattern.startswith("^", self.at):
            self.at += 1
        first = self.at
        while self.pattern[self.at] != "]" or self.at == first:
            character = self.pattern[self.at]
            if character == "\\":
                found = self._escape()
                if found is not None:
                    return found
                continue
            if character == "[" or self.pattern[self.at : self.at + 2] in ("&&", "--", "~~", "||"):
                return f"`{character}` in brackets without a backslash"
            if character == "]":
                return "`]` at the beginning of brackets without a backslash"
            self.at += 1
        self.at += 1
        return None

    def _is_beginning(self, at: int) -> bool:
        before = self.pattern[:at]
        group = re.search(r"(?<!\\)\((?:\?(?::|P?<[A-Za-z_]\w*>))?$|(?<!\\)\|$", before)
        return before == "" or group is not None

    def _is_end(self, at: int) -> bool:
        return self.pattern[at : at + 1] in ("", ")", "|")
