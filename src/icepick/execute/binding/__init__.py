"""From planned calls to real ones: inputs, identifiers, and what should exist."""
