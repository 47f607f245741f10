"""Calls made, answers judged: from a plan to verdicts, findings and a journal."""
