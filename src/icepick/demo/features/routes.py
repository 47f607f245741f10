"""The HTTP side of the Features-Service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from aiohttp import web

from icepick.demo.features.bodies import (
    configuration_body,
    constraint_body,
    feature_body,
    product_body,
)
from icepick.demo.features.domain import ProductLines
from icepick.demo.features.forms import form_fields
from icepick.demo.features.records import TARGET_FIELDS, Kind
from icepick.demo.http import Document, Refusal, refuse, whole_number

# aiohttp would answer braces with 404 of its own; any segment shall reach the check of names.
PRODUCT = "/products/{productName:[^/]+}"
FEATURE = PRODUCT + "/features/{featureName:[^/]+}"
CONFIGURATION = PRODUCT + "/configurations/{configurationName:[^/]+}"
ACTIVE_FEATURE = CONFIGURATION + "/features/{featureName:[^/]+}"
CONSTRAINT = PRODUCT + "/constraints/{constraintId:[^/]+}"


def routes(domain: ProductLines) -> list[web.RouteDef]:
    """A route for every operation of the document."""
    handlers = _Handlers(domain, Document.load("icepick.demo.features", "openapi.yaml"))
    return [
        web.get("/products", handlers.list_products),
        web.get(PRODUCT, handlers.get_product),
        web.post(PRODUCT, handlers.create_product),
        web.delete(PRODUCT, handlers.delete_product),
        web.get(PRODUCT + "/features", handlers.list_features),
        web.post(FEATURE, handlers.create_feature),
        web.put(FEATURE, handlers.update_feature),
        web.delete(FEATURE, handlers.delete_feature),
        web.get(PRODUCT + "/configurations", handlers.list_configurations),
        web.get(CONFIGURATION, handlers.get_configuration),
        web.post(CONFIGURATION, handlers.create_configuration),
        web.delete(CONFIGURATION, handlers.delete_configuration),
        web.get(CONFIGURATION + "/features", handlers.list_active_features),
        web.post(ACTIVE_FEATURE, handlers.activate),
        web.delete(ACTIVE_FEATURE, handlers.deactivate),
        web.post(PRODUCT + "/constraints/requires", handlers.create_requires),
        web.post(PRODUCT + "/constraints/excludes", handlers.create_excludes),
        web.delete(CONSTRAINT, handlers.delete_constraint),
    ]


@dataclass(frozen=True, slots=True)
class _Handlers:
    domain: ProductLines
    document: Document

    # Products

    async def list_products(self, _: web.Request) -> web.Response:
        return web.json_response(self.domain.product_names())

    async def get_product(self, request: web.Request) -> web.Response:
        product = self.domain.product(self._product_name(request))
        return web.json_response(product_body(product))

    async def create_product(self, request: web.Request) -> web.Response:
        product = self.domain.create_product(self._product_name(request))
        return _created(product_body(product), "products", product.name)

    async def delete_product(self, request: web.Request) -> web.Response:
        self.domain.delete_product(self._product_name(request))
        return _done()

    # Features

    async def list_features(self, request: web.Request) -> web.Response:
        features = self.domain.features(self._product_name(request))
        return web.json_response([feature_body(each) for each in features])

    async def create_feature(self, request: web.Request) -> web.Response:
        product, name = self._feature_names(request)
        description = await self._description(request)
        feature = self.domain.create_feature(product, name, description or "")
        return _created(feature_body(feature), "products", product, "features", name)

    async def update_feature(self, request: web.Request) -> web.Response:
        product, name = self._feature_names(request)
        description = await self._description(request)
        return web.json_response(
            feature_body(self.domain.update_feature(product, name, description))
        )

    async def delete_feature(self, request: web.Request) -> web.Response:
        self.domain.delete_feature(*self._feature_names(request))
        return _done()

    # Configurations

    async def list_configurations(self, request: web.Request) -> web.Response:
        return web.json_response(self.domain.configuration_names(self._product_name(request)))

    async def get_configuration(self, request: web.Request) -> web.Response:
        report = self.domain.configuration(*self._configuration_names(request))
        return web.json_response(configuration_body(report))

    async def create_configuration(self, request: web.Request) -> web.Response:
        product, name = self._configuration_names(request)
        report = self.domain.create_configuration(product, name)
        return _created(configuration_body(report), "products", product, "configurations", name)

    async def delete_configuration(self, request: web.Request) -> web.Response:
        self.domain.delete_configuration(*self._configuration_names(request))
        return _done()

    async def list_active_features(self, request: web.Request) -> web.Response:
        return web.json_response(self.domain.active_features(*self._configuration_names(request)))

    async def activate(self, request: web.Request) -> web.Response:
        product, configuration = self._configuration_names(request)
        feature = self.domain.activate(
            product, configuration, self._path_name(request, "featureName")
        )
        path = ("products", product, "configurations", configuration, "features", feature.name)
        return _created(feature_body(feature), *path)

    async def deactivate(self, request: web.Request) -> web.Response:
        product, configuration = self._configuration_names(request)
        self.domain.deactivate(product, configuration, self._path_name(request, "featureName"))
        return _done()

    # Constraints

    async def create_requires(self, request: web.Request) -> web.Response:
        return await self._create_constraint(request, "requires")

    async def create_excludes(self, request: web.Request) -> web.Response:
        return await self._create_constraint(request, "excludes")

    async def delete_constraint(self, request: web.Request) -> web.Response:
        product = self._product_name(request)
        constraint_id = whole_number(request.match_info["constraintId"], "constraintId")
        self.domain.delete_constraint(product, constraint_id)
        return _done()

    async def _create_constraint(self, request: web.Request, kind: Kind) -> web.Response:
        product = self._product_name(request)
        names = ("sourceFeature", TARGET_FIELDS[kind])
        fields = await form_fields(request, names)
        source, target = (self._name(name, fields.get(name)) for name in names)
        constraint = self.domain.create_constraint(product, kind, source, target)
        path = ("products", product, "constraints", str(constraint.id))
        return _created(constraint_body(constraint), *path)

    # What a request says

    def _product_name(self, request: web.Request) -> str:
        return self._path_name(request, "productName")

    def _feature_names(self, request: web.Request) -> tuple[str, str]:
        return self._product_name(request), self._path_name(request, "featureName")

    def _configuration_names(self, request: web.Request) -> tuple[str, str]:
        return self._product_name(request), self._path_name(request, "configurationName")

    def _path_name(self, request: web.Request, parameter: str) -> str:
        return self._name(parameter, request.match_info[parameter])

    def _name(self, field: str, value: str | None) -> str:
        if value is None:
            refuse(400, f"{field}: is required")
        return self._checked(field, "Name", value)

    async def _description(self, request: web.Request) -> str | None:
        value = (await form_fields(request, ["description"])).get("description")
        return None if value is None else self._checked("description", "Description", value)

    def _checked(self, field: str, schema: str, value: str) -> str:
        if problems := self.document.problems(schema, value):
            raise Refusal(400, f"{field}: {problems[0].removeprefix('body: ')}")
        return value


def _created(body: dict[str, Any], *path: str) -> web.Response:
    location = "".join("/" + quote(part, safe="") for part in path)
    return web.json_response(body, status=201, headers={"Location": location})


def _done() -> web.Response:
    return web.Response(status=204)
