"""Holds a document against its schema (TL101, TL104) and its name (TL102), in plain words."""

from trunkline.source.fit.identity import identity_findings, name_findings
from trunkline.source.fit.schema_fit import fit_findings

__all__ = ["fit_findings", "identity_findings", "name_findings"]
