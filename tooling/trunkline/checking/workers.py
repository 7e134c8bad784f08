"""Work on all processors of the machine: each process takes every n-th item, from one memory.

A process is given its share at birth and afterwards only tells results, so that one whose parent
was killed ends with its next word instead of waiting for ever.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from trunkline.checking.terms import Item
from trunkline.checking.work import Bench, Done

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

# Fewer items are done before another process has begun.
WORTH_A_PROCESS = 64


def all_done(bench: Bench, items: Sequence[Item], processors: int | None = None) -> Iterator[Done]:
    """Every item, in any order. Raises what a check raised."""
    count = _count(len(items), processors or _processors())
    if count < 2:
        yield from map(bench.do, items)
        return
    # Loaded where there is work for two: one changed flow waits for nothing.
    from multiprocessing import get_context

    context: Any = get_context("fork")
    shares = [items[first::count] for first in range(count)]
    ears: list[Any] = []
    workers = []
    for share in shares:
        ear, mouth = context.Pipe(duplex=False)
        ears.append(ear)
        worker = context.Process(target=_tell, args=(bench, share, mouth, tuple(ears)))
        worker.start()
        workers.append(worker)
        mouth.close()
    try:
        yield from _heard(bench, dict(zip(ears, shares, strict=True)))
    finally:
        for worker in workers:
            worker.kill()
            worker.join()


def _heard(bench: Bench, shares: dict[Any, Sequence[Item]]) -> Iterator[Done]:
    """What the workers tell; the rest of a share whose worker was killed is done here."""
    from multiprocessing.connection import wait

    told = dict.fromkeys(shares, 0)
    while shares:
        ready: list[Any] = wait(list(shares))
        for ear in ready:
            try:
                word = ear.recv()
            except (EOFError, OSError):
                left = shares.pop(ear)[told[ear] :]
                yield from map(bench.do, left)
                continue
            if isinstance(word, Exception):
                raise word
            told[ear] += len(word)
            yield from word
            if told[ear] == len(shares[ear]):
                del shares[ear]


def _tell(bench: Bench, share: Sequence[Item], mouth: "Connection", ears: Sequence[Any]) -> None:
    """Does a share and tells each few items at once; ends without a word to the terminal."""
    try:
        for ear in ears:
            ear.close()
        for first in range(0, len(share), 8):
            mouth.send([bench.do(item) for item in share[first : first + 8]])
    except (KeyboardInterrupt, BrokenPipeError):
        pass
    except Exception as problem:
        mouth.send(problem)
    finally:
        os._exit(0)


def _count(items: int, processors: int) -> int:
    if not hasattr(os, "fork") or sys.platform == "darwin":
        return 1
    return min(processors, items // (WORTH_A_PROCESS // 2))


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
