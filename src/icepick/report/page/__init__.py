"""The report as one page of HTML."""

from icepick.report.page.build import to_html

__all__ = ["to_html"]
