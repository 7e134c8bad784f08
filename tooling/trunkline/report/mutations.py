"""What became of the mutants of flows: the share that scenarios caught, and those that lived."""

import json
from collections import Counter
from collections.abc import Sequence

from trunkline.report.printable import printable
from trunkline.scenario.mutation import Mutation


def mutations_text(mutations: Sequence[Mutation]) -> str:
    """The survivors, then a line for each flow."""
    lines = [
        f"SURVIVED  {printable(f'{each.tenant}/{each.flow}: {each.what}')}"
        for each in mutations
        if each.fate == "survived"
    ]
    for tenant, flow in dict.fromkeys((each.tenant, each.flow) for each in mutations):
        mine = [each for each in mutations if (each.tenant, each.flow) == (tenant, flow)]
        fates = Counter(each.fate for each in mine)
        lines.append(
            f"{tenant}/{flow}  {_share(mine):.1f}% caught: {fates['caught']} of "
            f"{fates['caught'] + fates['survived']} that check does not see; "
            f"{fates['check']} more it sees, {fates['same']} change nothing"
        )
    return "\n".join(lines) + "\n"


def _share(mutations: Sequence[Mutation]) -> float:
    caught = sum(each.fate == "caught" for each in mutations)
    there = sum(each.fate in ("caught", "survived") for each in mutations)
    return 100 * caught / there if there else 100.0


def mutations_json(mutations: Sequence[Mutation]) -> str:
    """Every mutant (version 1 of this form)."""
    document = {
        "version": 1,
        "mutants": [
            {
                "tenant": each.tenant,
                "flow": each.flow,
                "what": each.what,
                "fate": each.fate,
                "by": each.by,
            }
            for each in mutations
        ],
        "caught_percent": round(_share(mutations), 1),
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
