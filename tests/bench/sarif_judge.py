"""The SARIF report of the whole conformance corpus, held against Microsoft's validator.

`.venv/bin/python tests/bench/sarif_judge.py MULTITOOL`, the program `Sarif.Multitool` of the npm
package `@microsoft/sarif-multitool-linux` (MIT): `npm pack` fetches it, nothing is installed. What
the tests hold a report against is `tests/unit/report/test_sarif_form.py`.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

from trunkline.compile import compile_repository
from trunkline.report import sarif
from trunkline.report.excerpt import Excerpts
from trunkline.source.tree import WorkingTree

EXAMPLES = Path(__file__).parents[1] / "examples"
DAY = date(2026, 11, 29)
_RULE = re.compile(r": (error|warning) (\w+):")


def runs_of_corpus(folder: Path) -> list[dict[str, Any]]:
    """A run for each case of the corpus."""
    runs: list[dict[str, Any]] = []
    for case in sorted(EXAMPLES.glob("TL*/*/*/case.json")):
        copy = folder / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(EXAMPLES / "base", copy)
        shutil.copytree(case.parent, copy, dirs_exist_ok=True)
        found = compile_repository(copy, DAY).findings
        runs += json.loads(sarif.render(found, Excerpts(WorkingTree(copy))))["runs"]
    return runs


def main(multitool: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        runs = runs_of_corpus(folder)
        log = folder / "corpus.sarif"
        log.write_text(json.dumps({"version": "2.1.0", "runs": runs}), "utf-8")
        told = subprocess.run(
            [multitool, "validate", str(log), "--rule-kind", "Sarif", "--level", "Error;Warning"],
            capture_output=True,
            text=True,
            env={**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"},
        )
    counts = Counter(_RULE.findall(told.stdout))
    results = sum(len(run["results"]) for run in runs)
    print(f"{len(runs)} runs with {results} results; exit code {told.returncode}")
    for (severity, rule), count in sorted(counts.items()):
        print(f"  {count:4} times {severity} {rule}")


if __name__ == "__main__":
    main(sys.argv[1])
