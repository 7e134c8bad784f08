"""Failures on purpose: what a back end does when it is down, slow or out of its mind."""

import random
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

HEADER = "X-Sandbox-Fault"


class UnknownFault(ValueError):
    """A description of a fault that nobody can follow."""


@dataclass(frozen=True)
class Fault:
    """How one request goes wrong.

    `status` answers with it before anything is done. The others let the back end do its work
    first, which is when a repetition would hurt: `delay` waits that many seconds with the answer,
    `nonsense` answers with a page instead of JSON, `close` hangs up, `redirect` points elsewhere.
    """

    status: int | None = None
    delay: float = 0.0
    nonsense: bool = False
    close: bool = False
    redirect: str | None = None

    @classmethod
    def parse(cls, text: str) -> "Fault":
        """Reads `status=503`, `delay=2.5`, `nonsense`, `close`, `redirect=URL`, joined by `;`.

        Raises UnknownFault.
        """
        found: dict[str, int | float | bool | str] = {}
        for part in text.split(";"):
            name, _, value = part.strip().partition("=")
            if name not in _READERS:
                known = ", ".join(_READERS)
                raise UnknownFault(f"there is no fault {name!r}; known are {known}")
            try:
                found[name] = _READERS[name](value)
            except ValueError:
                raise UnknownFault(f"{value!r} does not fit the fault {name!r}") from None
        return cls(**found)  # type: ignore[arg-type]  # each value was read by its own reader


_READERS: dict[str, Callable[[str], int | float | bool | str]] = {
    "status": int,
    "delay": float,
    "nonsense": lambda value: True,
    "close": lambda value: True,
    "redirect": str,
}


@dataclass(frozen=True)
class FaultRates:
    """Shares of all requests that go wrong (0 to 1), and a delay that every answer has."""

    errors: float = 0.0
    nonsense: float = 0.0
    delay_seconds: float = 0.0
    seed: int = 0

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "FaultRates":
        """From TRUNKLINE_SANDBOX_ERROR_RATE, …_NONSENSE_RATE, …_DELAY_SECONDS and …_SEED.

        Raises UnknownFault for a value that is no number.
        """

        def number(name: str) -> float:
            value = environment.get(f"TRUNKLINE_SANDBOX_{name}", "0")
            try:
                return float(value)
            except ValueError:
                raise UnknownFault(f"TRUNKLINE_SANDBOX_{name} is {value!r}, not a number") from None

        return cls(
            errors=number("ERROR_RATE"),
            nonsense=number("NONSENSE_RATE"),
            delay_seconds=number("DELAY_SECONDS"),
            seed=int(number("SEED")),
        )


@dataclass
class Faults:
    """Decides for each request how it goes wrong, if at all. Safe to use from several threads."""

    rates: FaultRates = field(default_factory=FaultRates)
    _planned: list[tuple[str, Fault]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _random: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self._random = random.Random(self.rates.seed)

    def plan(self, path: str, fault: str, times: int = 1) -> None:
        """The next `times` requests whose path ends with `path` go wrong that way."""
        with self._lock:
            self._planned.extend([(path, Fault.parse(fault))] * times)

    def next_for(self, path: str, header: str | None) -> Fault:
        """The fault of a request: planned, else asked for by header, else by the dice."""
        with self._lock:
            for index, (ending, fault) in enumerate(self._planned):
                if path.endswith(ending):
                    del self._planned[index]
                    return fault
            if header:
                return Fault.parse(header)
            if self._random.random() < self.rates.errors:
                return Fault(status=self._random.choice((500, 502, 503)))
            garbled = self._random.random() < self.rates.nonsense
            return Fault(delay=self.rates.delay_seconds, nonsense=garbled)
