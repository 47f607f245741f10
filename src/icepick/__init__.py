"""icepick tests REST APIs systematically: contracts, model checking, every state that matters."""

from importlib.metadata import version

__all__ = ["__version__"]

__version__ = version("icepick-api")
