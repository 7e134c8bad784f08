"""What a compilation gave: flow, number of nodes and digest, for a person or as JSON."""

import json

from trunkline.compile import Compiled

VERSION = 1


def as_text(compiled: Compiled) -> str:
    """One line for each flow: `<tenant>/<flow>`, its nodes, its digest."""
    rows = [
        ("/".join(flow), f"{len(compiled.tables[flow]['nodes'])} nodes", digest)
        for flow, digest in sorted(compiled.digests.items())
    ]
    names = max((len(name) for name, _, _ in rows), default=0)
    counts = max((len(count) for _, count, _ in rows), default=0)
    return "".join(f"{name:{names}}  {count:>{counts}}  {digest}\n" for name, count, digest in rows)


def as_json(compiled: Compiled) -> str:
    """`{"version", "flows": [{"tenant", "flow", "nodes", "digest"}]}`, sorted."""
    flows = [
        {
            "tenant": tenant,
            "flow": flow,
            "nodes": len(compiled.tables[tenant, flow]["nodes"]),
            "digest": digest,
        }
        for (tenant, flow), digest in sorted(compiled.digests.items())
    ]
    return json.dumps({"version": VERSION, "flows": flows}, indent=2, ensure_ascii=True) + "\n"
