"""Everything that can be wrong with the shop, by name."""

from __future__ import annotations

from icepick.demo.service import Fault
from icepick.demo.shop import behaviour_faults as behaviour
from icepick.demo.shop import crash_faults as crash

BEHAVIOUR_FAULTS = (
    Fault(
        "patch-resets-omitted",
        "PATCH of a customer sets vip and credit_limit to their defaults if they are not sent",
        behaviour.PatchResetsOmitted,
    ),
    Fault(
        "page-drops-last", "a full page of any list lacks its last item", behaviour.PageDropsLast
    ),
    Fault(
        "page-repeats-item",
        "page 2 and later begin with the last item of the page before",
        behaviour.PageRepeatsItem,
    ),
    Fault(
        "delete-takes-siblings",
        "DELETE of an address removes all addresses of the customer",
        behaviour.DeleteTakesSiblings,
    ),
    Fault(
        "orphan-addresses",
        "the addresses of a removed customer can still be reached",
        behaviour.OrphanAddresses,
    ),
    Fault(
        "cancel-never-settles",
        "a cancelled order stays in the status cancelling",
        behaviour.CancelNeverSettles,
    ),
    Fault(
        "stale-etag-after-patch",
        "PATCH of a customer does not change its entity tag, so that updates are lost",
        behaviour.StaleEtag,
    ),
    Fault(
        "put-ignores-credit-limit",
        "PUT of a customer does not change credit_limit",
        behaviour.PutIgnoresCreditLimit,
    ),
    Fault(
        "line-update-spreads",
        "PUT of a line changes the quantity of every line of the order with the same sku",
        behaviour.LineUpdateSpreads,
    ),
    Fault(
        "delete-despite-orders",
        "a customer can be removed while orders of the customer exist",
        behaviour.DeleteDespiteOrders,
    ),
    Fault(
        "patch-allows-duplicate-email",
        "PATCH of a customer accepts an e-mail address that another customer has",
        behaviour.PatchAllowsDuplicateEmail,
    ),
    Fault("put-loses-stock", "PUT on an existing sku sets stock to 0", behaviour.PutLosesStock),
    Fault(
        "token-survives-logout",
        "a token is still valid after logout",
        behaviour.TokenSurvivesLogout,
    ),
    Fault(
        "submit-without-lines",
        "an order without lines can be submitted",
        behaviour.SubmitWithoutLines,
    ),
    Fault(
        "foreign-address-accepted",
        "an order can be shipped to an address of another customer",
        behaviour.ForeignAddress,
    ),
    Fault(
        "filter-lost-on-page-two",
        "the customer_id filter of the order list is ignored from page 2 on",
        behaviour.FilterLostOnPageTwo,
    ),
    Fault(
        "total-keeps-deleted-lines",
        "the total of an order still counts lines that were removed",
        behaviour.TotalKeepsDeletedLines,
    ),
    Fault(
        "cancel-keeps-reservation",
        "the lines of a cancelled order go on reserving stock",
        behaviour.CancelKeepsReservation,
    ),
    Fault(
        "refused-update-sticks",
        "PUT of a line that is refused for lack of stock changes the line all the same",
        behaviour.RefusedUpdateSticks,
    ),
    Fault(
        "deleted-username-taken",
        "the user name of a removed user counts as taken",
        behaviour.DeletedUsernameTaken,
    ),
    Fault(
        "delete-ignores-if-match",
        "DELETE of a customer is carried out though If-Match does not fit",
        behaviour.DeleteIgnoresIfMatch,
    ),
)

CRASH_FAULTS = (
    Fault(
        "crash-phone-without-country",
        "POST /users with phone but without phone_country: KeyError",
        crash.PhoneWithoutCountry,
    ),
    Fault(
        "crash-business-without-company",
        "POST /users with account_type business but without company: KeyError",
        crash.BusinessWithoutCompany,
    ),
    Fault("crash-age-text", "POST /users with text for age: TypeError", crash.AgeText),
    Fault(
        "crash-password-number",
        "POST /users with a whole number or a boolean for password: TypeError",
        crash.PasswordNumber,
    ),
    Fault(
        "crash-empty-interests",
        "POST /users with an empty array for interests: IndexError",
        crash.EmptyInterests,
    ),
    Fault(
        "crash-impossible-date",
        "POST /users with a valid_from that no calendar has, such as 2024-02-30: ValueError",
        crash.ImpossibleDate,
    ),
    Fault(
        "crash-null-name",
        "POST or PUT of a customer whose name is null: AttributeError",
        crash.NullName,
    ),
    Fault(
        "crash-huge-credit-limit",
        "POST or PUT of a customer with a credit_limit of more than 308 digits: OverflowError",
        crash.HugeCreditLimit,
    ),
    Fault(
        "crash-email-case",
        "a customer's e-mail address that differs from another's in case only: unique violation",
        crash.EmailCase,
    ),
    Fault("crash-array-body", "PUT of a product with an array as body: TypeError", crash.ArrayBody),
    Fault("crash-null-price", "PUT of a product whose price is null: TypeError", crash.NullPrice),
    Fault(
        "crash-non-ascii-sku",
        "PUT of a product whose sku is not ASCII: UnicodeEncodeError",
        crash.NonAsciiSku,
    ),
    Fault(
        "crash-unknown-customer",
        "POST /orders with the id of no customer: AttributeError",
        crash.UnknownCustomer,
    ),
    Fault(
        "crash-unknown-order-type",
        "POST /orders with another type than standard or express: LookupError",
        crash.UnknownOrderType,
    ),
    Fault(
        "crash-long-note",
        "PATCH of an order with a note of more than 500 characters: database error",
        crash.LongNote,
    ),
    Fault(
        "crash-fractional-quantity",
        "POST or PUT of a line whose quantity is not whole: TypeError",
        crash.FractionalQuantity,
    ),
    Fault(
        "crash-negative-page",
        "a list with a page that begins with a minus sign: database error",
        crash.NegativePage,
    ),
    Fault(
        "crash-page-size-text",
        "a list with a page_size without any digit: ValueError",
        crash.PageSizeText,
    ),
    Fault(
        "crash-missing-password", "POST /sessions without password: KeyError", crash.MissingPassword
    ),
)

FAULTS: tuple[Fault, ...] = (*BEHAVIOUR_FAULTS, *CRASH_FAULTS)
