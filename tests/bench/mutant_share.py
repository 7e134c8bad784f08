"""Which share of mutants gives a finding: faults put into shipped flows, and into generated ones.

Run it by hand: `.venv/bin/python tests/bench/mutant_share.py [COUNT]`, COUNT generated flows.
"""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "fuzz"))

from files_tree import compiled
from share import SHIPPED, share_of_generated, share_of_shipped
from walks import walks_over

WALKS = 5


def main(count: int) -> None:
    began = time.perf_counter()
    shipped = share_of_shipped()
    print(f"mutants of {len(SHIPPED)} shipped flows that give a finding (warnings included)")
    print(shipped.table())
    generated = share_of_generated(count)
    print(f"mutants of {count} generated flows that give an error")
    print(generated.table())
    walked = sum(len(walks_over(compiled(fault.flow), 1, WALKS)) for fault in generated.escaped)
    print(f"  of those that pass, {len(generated.escaped)}, {walked} walks broke nothing")
    tried = sum(shipped.tried.values()) + sum(generated.tried.values())
    print(f"{tried} mutants in {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
