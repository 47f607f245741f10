"""Read OpenAPI documents (2.0, 3.0, 3.1) into one normalised `ApiSpec`."""

from icepick.openapi.options import ReadOptions
from icepick.openapi.read import check_spec, read_spec
from icepick.openapi.types import ApiSpec, Operation, Parameter, ParameterLocation, Schema
from icepick.openapi.validate import Direction, Problem, Validators

__all__ = [
    "ApiSpec",
    "Direction",
    "Operation",
    "Parameter",
    "ParameterLocation",
    "Problem",
    "ReadOptions",
    "Schema",
    "Validators",
    "check_spec",
    "read_spec",
]
