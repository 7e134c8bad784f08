"""Decides payments until it is told to stop or is killed: run as a process by the tests beside it.

Argument: a state folder. Each line read is a name and a number of payments (0: until killed); a
child is forked for it, so that the cost of starting Python is paid once. Everything that was
acknowledged is printed, a line each, before the child goes on. A line is one write: a kill leaves
it whole or away.
"""

import asyncio
import importlib.util
import os
import sys
import traceback
from pathlib import Path
from typing import Any


def loaded() -> Any:
    spec = importlib.util.spec_from_file_location(
        "gate_conftest", Path(__file__).with_name("conftest.py")
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["gate_conftest"] = module
    spec.loader.exec_module(module)
    return module


def acknowledge(*words: object) -> None:
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


async def spend(world: Any, name: str, count: int) -> None:
    tool = world.entry("take_payment")
    acknowledge("ready", os.getpid())
    number = 0
    while count == 0 or number < count:
        number += 1
        key = f"{name}-{number}"
        decision = await world.gate.decide(world.request(tool, call_id=key, attempt=key))
        acknowledge("decided", decision.id, "allow" if decision.allowed else "deny")
        if decision.allowed and number % 3:
            await world.gate.settle(decision, "done", 100_000)
            acknowledge("settled", decision.id)
        if count == 0 and number % 4 == 0:
            party = f"+1212555{100 + number % 100:04d}"
            await world.gate.record_opt_out(world.opt_out(party, key))
            acknowledge("opted_out", party)


def main(state: Path) -> None:
    module = loaded()
    module.shipped_documents()
    for line in sys.stdin:
        name, count = line.split()
        if os.fork() == 0:
            try:
                asyncio.run(spend(module.World(state), name, int(count)))
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            acknowledge("finished", name)
            os._exit(0)
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]))
