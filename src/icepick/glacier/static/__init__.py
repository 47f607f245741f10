"""Contracts against the document: what is wrong with a clause before any request is sent."""

from icepick.glacier.static.check import check_contracts

__all__ = ["check_contracts"]
