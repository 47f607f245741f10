"""The one place that wires the stages together."""
