"""One error of a schema, with the parts that the words are made of."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trunkline.source.document import Step

if TYPE_CHECKING:
    from jsonschema import ValidationError


@dataclass(frozen=True, slots=True)
class Problem:
    """`rule` is the schema's keyword (`type`, `enum`, …), `wanted` its value, `found` what stands
    at `path`, `schema` the part of the schema that holds the rule.
    """

    path: tuple[Step, ...]
    rule: str
    wanted: Any
    found: Any
    schema: Mapping[str, Any]
    about_name: bool

    @property
    def description(self) -> str:
        """What the schema says of this value; may be empty."""
        return str(self.schema.get("description", ""))

    @property
    def known(self) -> Mapping[str, Any]:
        """The keys that the schema knows here."""
        properties: Mapping[str, Any] = self.schema.get("properties", {})
        return properties

    @classmethod
    def of(cls, error: "ValidationError") -> "Problem":
        schema = error.schema
        return cls(
            path=tuple(error.absolute_path),
            rule=str(error.validator),
            wanted=error.validator_value,
            found=error.instance,
            schema=schema if isinstance(schema, Mapping) else {},
            about_name=_is_about_name([str(step) for step in error.absolute_schema_path]),
        )


def _is_about_name(schema_path: list[str]) -> bool:
    """True if the error speaks of a key itself: it was found right below `propertyNames`.

    A schema may describe a key of that name, below `properties`; that is no such error.
    """
    near = schema_path[-3:-1]
    return "propertyNames" in near and "properties" not in near
