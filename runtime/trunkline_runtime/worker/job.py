"""The contract of a job: what its metadata may say, and what is wrong with it if it is refused."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from jsonschema.exceptions import ValidationError, best_match

from trunkline_runtime.schema import validator
from trunkline_runtime.table.canonical import Json, canonical_bytes
from trunkline_runtime.table.layout import TENANT_NAME

FALLBACK = "fallback"
RING_SECONDS = 30
_LARGEST = 64 * 1024


class BadJob(ValueError):
    """A job that cannot become a call. The message says why; it holds no number and no input."""


@dataclass(frozen=True)
class Job:
    """What starts one call. `docs/jobs.md` says what each member means.

    `number` and `caller_number` are E.164. `inputs` are as they were given: the flow's types are
    applied when the call begins.
    """

    tenant: str
    flow: str | None = None
    channel: str | None = None
    call_id: str | None = None
    number: str | None = field(default=None, repr=False)
    inputs: Mapping[str, Json] = field(default_factory=dict, repr=False)
    consents: frozenset[str] = frozenset()
    address: Mapping[str, Json] | None = None
    subject: str | None = field(default=None, repr=False)
    answered_by: str | None = None
    trunk: str | None = None
    caller_number: str | None = field(default=None, repr=False)
    ring_seconds: int = RING_SECONDS
    fallback: str = FALLBACK


def read_job(metadata: str) -> Job | None:
    """The job that a LiveKit job's metadata states; None where it states nothing at all.

    Raises BadJob for what does not fit `job.schema.json`.
    """
    if not metadata.strip():
        return None
    if len(metadata) > _LARGEST:
        raise BadJob(f"the job's metadata is longer than {_LARGEST} characters")
    try:
        document: Any = json.loads(metadata, object_pairs_hook=_once)
    except (ValueError, RecursionError) as problem:
        if isinstance(problem, BadJob):
            raise
        raise BadJob("the job's metadata is no JSON object") from None
    _check_spelling(document)
    fault = best_match(validator("job").iter_errors(document))
    if fault is not None:
        raise BadJob(f"the job's metadata {_words(fault)}")
    known = {name: value for name, value in document.items() if name != "version"}
    return Job(**{**known, "consents": frozenset(known.get("consents", ()))})


def tenant_in(metadata: str) -> tuple[str | None, str]:
    """The tenant and the name of the fallback number, as far as a bad job lets itself be read."""
    try:
        document = json.loads(metadata)
        tenant, fallback = document.get("tenant"), document.get(FALLBACK, FALLBACK)
    except (ValueError, AttributeError, RecursionError):
        return None, FALLBACK
    named = isinstance(tenant, str) and TENANT_NAME.fullmatch(tenant) is not None
    return (
        tenant if named else None,
        fallback if isinstance(fallback, str) else FALLBACK,
    )


def _check_spelling(document: Any) -> None:
    """Raises BadJob for what could stand in no record, though Python reads it."""
    try:
        canonical_bytes(document)
    except (ValueError, RecursionError):
        raise BadJob(
            "the job's metadata holds a number that is none or is too large (write it in quotes), "
            "or half a character"
        ) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadJob(f"the job's metadata says {twice[:40]!r} twice")
    return dict(pairs)


def _words(fault: ValidationError) -> str:
    """A fault in words that repeat no value: it may be a number, or somebody's name."""
    where = ".".join(str(part) for part in fault.absolute_path)
    at = f"has a wrong {where!r}: " if where else ""
    must = at or "is not what it should be: "
    wanted: Any = fault.validator_value
    found: Any = fault.instance
    if fault.validator == "required":
        missing = next(name for name in wanted if name not in found)
        return f"{at}lacks {missing!r}"
    if fault.validator == "additionalProperties":
        within: Any = fault.schema
        unknown = sorted(name for name in found if name not in within["properties"])
        return f"{at}has a member that is not known: {unknown[0][:40]!r}"
    if fault.validator == "type":
        return f"{must}it must be of the type {wanted}"
    if fault.validator in ("const", "enum"):
        return f"{must}it must be {json.dumps(wanted)}"
    if fault.validator == "pattern" and str(wanted).startswith(r"^\+"):
        return f"{at}a number is written with + and country code, digits only"
    if fault.validator == "not":
        return f"{at}it looks like a phone number: seven digits in a row stand in a UUID only"
    return f"{must}it breaks `{fault.validator}: {json.dumps(wanted)}`"
