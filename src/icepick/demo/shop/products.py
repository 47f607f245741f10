"""Products and their stock."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from icepick.demo.shop.problems import FieldError, Problem, not_found, refuse_if
from icepick.demo.shop.store import Store
from icepick.demo.shop.types import JsonObject, Line, Listing, Product, as_json
from icepick.demo.shop.validation import schema_errors


class Products(Store):
    """What is sold."""

    def list_products(self, query: Mapping[str, str]) -> Listing:
        """One page of products."""
        found = [as_json(product) for product in self.products.values()]
        return self.listing(found, self.page_of(query))

    def put_product(self, sku: str, body: Any) -> tuple[Product, bool]:
        """The product as it is now, and whether it is new."""
        refuse_if(422, [*self.sku_errors(sku), *self.product_errors(body)])
        self.check_reservations(sku, body["stock"])
        old = self.products.get(sku)
        product = self.new_product(sku, body) if old is None else self.replaced_product(old, body)
        self.products[sku] = product
        return product, old is None

    def product(self, sku: str) -> Product:
        """The product with this sku."""
        if sku not in self.products:
            raise not_found("product", sku)
        return self.products[sku]

    def delete_product(self, sku: str) -> None:
        """Remove a product that no line refers to."""
        self.product(sku)
        if any(line.sku == sku for line in self.all_lines()):
            raise Problem(409, f"lines of orders refer to product {sku}")
        del self.products[sku]

    def new_product(self, sku: str, body: JsonObject) -> Product:
        """A product with the fields that are sent."""
        return Product(sku, body["title"], body["price"], int(body["stock"]))

    def replaced_product(self, product: Product, body: JsonObject) -> Product:
        """The product after a PUT on one that existed."""
        return self.new_product(product.sku, body)

    def reserved(self, sku: str) -> int:
        """How many pieces the lines of orders hold back."""
        return sum(line.quantity for line in self.all_lines() if self.holds(line, sku))

    def holds(self, line: Line, sku: str) -> bool:
        """Whether a line holds back pieces of a product."""
        return line.sku == sku and self.orders[line.order_id].status != "cancelled"

    def all_lines(self) -> list[Line]:
        """The lines of all orders."""
        return [line for lines in self.lines.values() for line in lines.values()]

    def sku_errors(self, sku: str) -> list[FieldError]:
        """What is wrong with a sku."""
        return schema_errors("Sku", sku, "sku")

    def product_errors(self, body: Any) -> list[FieldError]:
        """What is wrong with the fields of a product."""
        return schema_errors("ProductInput", body)

    def check_reservations(self, sku: str, stock: int) -> None:
        """Refuse a stock that is less than what has been promised."""
        reserved = self.reserved(sku)
        if stock < reserved:
            message = f"stock must be at least {reserved}, which lines of orders reserve"
            refuse_if(409, [FieldError("stock", message)])
