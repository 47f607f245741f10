"""Exchange of linear flows with the Arazzo format (1.0.x) of the OpenAPI Initiative."""

from icepick.protocol.arazzo_format import problems
from icepick.protocol.arazzo_read import Imported, from_arazzo
from icepick.protocol.arazzo_write import Exported, linear, to_arazzo

__all__ = ["Exported", "Imported", "from_arazzo", "linear", "problems", "to_arazzo"]
