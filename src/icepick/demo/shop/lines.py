"""Lines of orders; each reserves stock until its order is cancelled or removed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from icepick.demo.shop.orders import Orders
from icepick.demo.shop.problems import FieldError, not_found, refuse_if
from icepick.demo.shop.products import Products
from icepick.demo.shop.types import JsonObject, Line
from icepick.demo.shop.validation import schema_errors


class Lines(Orders, Products):
    """The products of orders."""

    def list_lines(self, order_id: str) -> list[Line]:
        """All lines of an order."""
        return self.lines_of(self.order(order_id))

    def create_line(self, order_id: str, body: Any) -> Line:
        """Add a line to an open order."""
        order = self.order(order_id)
        self.check_line(body)
        self.check_open(order)
        self.check_stock(body)
        return self.save_line(Line(id=self.new_id(), order_id=order_id, **self.priced(body)))

    def line(self, order_id: str, line_id: str) -> Line:
        """One line of an order."""
        self.order(order_id)
        if line_id not in self.lines[order_id]:
            raise not_found("line", line_id)
        return self.lines[order_id][line_id]

    def replace_line(self, order_id: str, line_id: str, body: Any) -> Line:
        """Give a line of an open order another product or quantity."""
        line = self.line(order_id, line_id)
        self.check_line(body)
        self.check_open(self.order(order_id))
        self.check_stock(body, instead_of=line)
        return self.save_line(replace(line, **self.priced(body)))

    def delete_line(self, order_id: str, line_id: str) -> None:
        """Remove a line of an open order."""
        self.line(order_id, line_id)
        self.check_open(self.order(order_id))
        del self.lines[order_id][line_id]

    def save_line(self, line: Line) -> Line:
        """Keep a line as it is now."""
        self.lines[line.order_id][line.id] = line
        return line

    def priced(self, body: JsonObject) -> JsonObject:
        """What is sent, at the present price of the product."""
        sku = body["sku"]
        price = self.products[sku].price
        return {"sku": sku, "quantity": int(body["quantity"]), "unit_price": price}

    def check_line(self, body: Any) -> None:
        """Refuse fields that no line can have."""
        errors = schema_errors("LineInput", body)
        if not any(error.field in {"sku", "body"} for error in errors):
            errors += self.product_exists_errors(body["sku"])
        refuse_if(422, errors)

    def product_exists_errors(self, sku: str) -> list[FieldError]:
        """Whether there is such a product."""
        if sku in self.products:
            return []
        return [FieldError("sku", f"Invalid sku: there is no product {sku!r}")]

    def check_stock(self, body: JsonObject, instead_of: Line | None = None) -> None:
        """Refuse a quantity that is not there; the line to be replaced gives up its own."""
        sku = body["sku"]
        free = self.products[sku].stock - self.reserved(sku)
        if instead_of is not None and instead_of.sku == sku:
            free += instead_of.quantity
        if body["quantity"] > free:
            message = f"quantity must be at most {free}, which is the free stock of {sku}"
            refuse_if(409, [FieldError("quantity", message)])
