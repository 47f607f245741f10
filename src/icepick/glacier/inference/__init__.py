"""Contracts from the document alone: REST conventions written down as GLACIER clauses."""
