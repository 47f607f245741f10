"""The picture of an API as one HTML page: resources, references, who makes and who needs what."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from jinja2 import Environment, PackageLoader, select_autoescape

from icepick.openapi.types import ApiSpec
from icepick.resources.graph import PropertyGraph
from icepick.resources.sequences import Sequence
from icepick.resources.types import Resource, ResourceMap

WIDTH, GAP_X, GAP_Y, LINE, HEAD, TOP = 300, 140, 30, 18, 68, 70


@dataclass(frozen=True, slots=True)
class Box:
    """A resource on the page."""

    resource: Resource
    lines: tuple[tuple[str, str, str], ...]  # role, operation's id, operation's label
    x: int
    y: int

    @property
    def height(self) -> int:
        """How tall it is."""
        return HEAD + LINE * len(self.lines) + 10


@dataclass(frozen=True, slots=True)
class Arrow:
    """From a resource to one that it needs."""

    path: str
    label: str
    x: float
    y: float
    anchor: str
    derived: bool


def to_html(
    spec: ApiSpec, resources: ResourceMap, graph: PropertyGraph, sequences: tuple[Sequence, ...]
) -> str:
    """The page: self-contained, readable in light and dark."""
    labels = {operation.id: operation.label for operation in spec.operations}
    boxes = _boxes(resources.resources, labels)
    environment = Environment(
        loader=PackageLoader("icepick.resources"), autoescape=select_autoescape(default=True)
    )
    return environment.get_template("graph.html.jinja").render(
        spec=spec,
        resources=resources,
        graph=graph,
        sequences=sequences,
        labels=labels,
        boxes=list(boxes.values()),
        arrows=list(_arrows(boxes)),
        width=max((box.x for box in boxes.values()), default=0) + WIDTH + 30,
        height=max((box.y + box.height for box in boxes.values()), default=0) + 30,
        box_width=WIDTH,
        head=HEAD,
        line=LINE,
    )


def _needs(resource: Resource) -> dict[str, tuple[str, bool]]:
    """The resources that one needs: the field that says so, and whether it is only shown."""
    found: dict[str, tuple[str, bool]] = {}
    for reference in sorted(resource.references, key=lambda r: not r.writable):
        if reference.target != resource.name:
            found.setdefault(reference.target, (str(reference.field), not reference.writable))
    for end in resource.joins:
        found.setdefault(end, ("joins", False))
    if resource.parent:
        found[resource.parent] = ("path", False)
    return found


def _layers(resources: Mapping[str, Resource]) -> dict[str, int]:
    """How far each resource is from those that need nothing; circles are cut where met."""
    layers: dict[str, int] = {}

    def layer(name: str, above: frozenset[str]) -> int:
        if name not in layers:
            needed = [
                target
                for target, (_, derived) in _needs(resources[name]).items()
                if not derived and target in resources and target not in above
            ]
            layers[name] = max((layer(t, above | {name}) + 1 for t in needed), default=0)
        return layers[name]

    for name in resources:
        layer(name, frozenset({name}))
    return layers


def _boxes(resources: Mapping[str, Resource], labels: Mapping[str, str]) -> dict[str, Box]:
    bottom: dict[int, int] = defaultdict(lambda: TOP)
    boxes = {}
    for name, depth in sorted(_layers(resources).items(), key=lambda item: item[1]):
        resource = resources[name]
        lines = tuple(
            (use.role.value, use.operation, labels[use.operation]) for use in resource.uses
        )
        box = Box(resource, lines, 15 + depth * (WIDTH + GAP_X), bottom[depth])
        bottom[depth] += box.height + GAP_Y
        boxes[name] = box
    return boxes


def _arrows(boxes: Mapping[str, Box]) -> Iterator[Arrow]:
    arriving: dict[str, int] = defaultdict(int)
    for box in boxes.values():
        for number, (target, (label, derived)) in enumerate(_needs(box.resource).items()):
            if target in boxes:
                yield _arrow(box, boxes[target], label, derived, number, arriving[target])
                arriving[target] += 1


def _arrow(
    source: Box, target: Box, label: str, derived: bool, number: int, arriving: int
) -> Arrow:
    """An arrow of its own port on both boxes, so that none hides another."""
    if abs(source.x - target.x) > WIDTH + GAP_X:
        return _over(source, target, label, derived, number)
    y1 = source.y + 14 + 15 * number
    y2 = target.y + 10 + 9 * min(arriving, 5)
    if target.x < source.x:
        x1, x2 = source.x, target.x + WIDTH
        bend = f"C {x1 - 70} {y1}, {x2 + 70} {y2}, {x2} {y2}"
        return Arrow(f"M {x1} {y1} {bend}", label, x1 - 6, y1 - 4, "end", derived)
    x1 = source.x + WIDTH
    x2 = target.x if target.x > source.x else x1
    out = -70 if target.x > source.x else 70
    bend = f"C {x1 + 70} {y1}, {x2 + out} {y2}, {x2} {y2}"
    return Arrow(f"M {x1} {y1} {bend}", label, x1 + 6, y1 - 4, "start", derived)


def _over(source: Box, target: Box, label: str, derived: bool, number: int) -> Arrow:
    """Past the boxes between them: over the top."""
    x1, x2 = source.x + 40 + 30 * number, target.x + WIDTH - 40
    high = min(source.y, target.y) - 50
    path = f"M {x1} {source.y} C {x1} {high}, {x2} {high}, {x2} {target.y}"
    return Arrow(path, label, x1 + 6, source.y - 8 - 11 * number, "start", derived)
