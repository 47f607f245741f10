"""What the Features-Service keeps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["requires", "excludes"]

TARGET_FIELDS: dict[Kind, str] = {"requires": "requiredFeature", "excludes": "excludedFeature"}


@dataclass(frozen=True, slots=True)
class Feature:
    """Something a product can do."""

    id: int
    name: str
    description: str


@dataclass(frozen=True, slots=True)
class Constraint:
    """The feature `source` requires, or excludes, the feature `target`."""

    id: int
    kind: Kind
    source: str
    target: str

    def mentions(self, feature: str) -> bool:
        """Whether the feature stands on either side."""
        return feature in (self.source, self.target)


@dataclass(slots=True)
class Configuration:
    """A choice of features; `active` holds their names in the order of activation."""

    name: str
    active: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Product:
    """A product and all that belongs to it."""

    id: int
    name: str
    features: dict[str, Feature] = field(default_factory=dict)
    configurations: dict[str, Configuration] = field(default_factory=dict)
    constraints: dict[int, Constraint] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ConfigurationReport:
    """A configuration as it reads at one moment."""

    name: str
    valid: bool
    features: tuple[Feature, ...]
