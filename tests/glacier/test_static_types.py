"""Types that clash, and parts that do not exist at the moment when the clause is checked."""

from __future__ import annotations

import pytest

from icepick.glacier.static import check_contracts
from icepick.openapi import ApiSpec
from tests.glacier import test_static
from tests.glacier.test_static import cases, contracts, said

library = test_static.library


@pytest.mark.parametrize(
    ("where", "clause", "expected"),
    cases(
        """
ensures PUT /books/{isbn}
res_body(@){pages} = "12"
                     ^ error ICP325
a number is compared with a text: they are never equal
  write 12 without quotes

ensures PUT /books/{isbn}
"true" = res_body(@){rare}
^ error ICP325
a text is compared with a truth value: they are never equal
  write true without quotes

ensures PUT /books/{isbn}
res_body(@){title} != 12
                      ^ error ICP325
a text is compared with a number: they are always different
  write "12"

ensures PUT /books/{isbn}
res_body(@){title} = res_body(@){pages}
^ error ICP325
a text is compared with a number: they are never equal

ensures PUT /books/{isbn}
isbn = res_body(@){title} && isbn = 5 && path_param(@){isbn} = res_body(@){rare}

ensures PUT /books/{isbn}
isbn = res_body(@){author}
^ error ICP325
a text is compared with an object: they are never equal

ensures PUT /books/{isbn}
res_body(@){note} = res_body(@){title} && res_body(@){note} != null

ensures PUT /books/{isbn}
res_body(@) = req_body(@) && strict(res_body(@) = 5)
                                                  ^ error ICP325
an object is compared with a number: they are never equal

invariants
res_body(GET /books) <= res_body(GET /capacity)
^ error ICP325
`res_body(GET /books)` is a list, which has no order
  take its length: res_body(GET /books).len

invariants
res_body(GET /capacity) < "five"
                          ^ error ICP325
a number is compared with a text: they have no order

invariants
res_body(GET /capacity) < null
                          ^ error ICP325
`null` is null, which has no order

invariants
res_body(GET /books).len <= res_body(GET /capacity)

ensures PUT /books/{isbn}
res_body(@){rare} > res_body(@){pages}
^ error ICP325
`res_body(@){rare}` is a truth value, which has no order

ensures PUT /books/{isbn}
res_body(@){pages} + res_body(@){tags} > 4
                     ^ error ICP325
`res_body(@){tags}` is a list, and only numbers can be reckoned with
  take its length: res_body(@){tags}.len

ensures PUT /books/{isbn}
res_body(@){pages}.len > 4
^ error ICP325
`res_body(@){pages}` is a number, which has no length

ensures PUT /books/{isbn}
len(res_body(@){title}) > 4 && keys(res_body(@){tags}) = []
                                    ^ error ICP325
`res_body(@){tags}` is a list, which has no fields

ensures PUT /books/{isbn}
res_body(@){pages.count} > 4
                  ^ error ICP325
`res_body(@){pages}` is a number and has no field `count`

invariants
res_body(GET /books){isbn} = "1"
                     ^ error ICP325
`res_body(GET /books)` is a list and has no field `isbn`
  go over the list with `for x in ...`, or take an element with [0]: x.isbn

invariants
res_body(GET /books){0.isbn} = "1" && res_body(GET /books)[0].title = 7
                                                                      ^ error ICP325
a text is compared with a number: they are never equal
  write "7"

ensures PUT /books/{isbn}
res_body(@){author}[0] = 1
                    ^ error ICP325
Author is an object and has no elements

ensures PUT /books/{isbn}
for t in res_body(@) : t = "x"
         ^ error ICP325
`res_body(@)` is an object, not a list to go over
  its field `tags` is a list

ensures PUT /books/{isbn}
for t in res_body(@){title} : t = "x"
         ^ error ICP325
`res_body(@){title}` is a text, not a list to go over

invariants
for b in res_body(GET /books) : res_code(GET /books/{b}) = 200
                                                     ^ error ICP325
`b` is an object and cannot be a part of a path
  take a field of it: b.isbn

ensures PUT /books/{isbn}
res_code(@)
^ error ICP326
`res_code(@)` is a number, not something true or false
  compare it: res_code(@) = ...

ensures PUT /books/{isbn}
res_body(@){rare} && !res_body(@){title} || 5
                      ^ error ICP326
`res_body(@){title}` is a text, not something true or false
  compare it: res_body(@){title} = ...
                                            ^ error ICP326
`5` is a number, not something true or false

ensures PUT /books/{isbn}
res_body(@){rare} => (for t in res_body(@){tags} : t)
                                                   ^ error ICP326
`t` is a text, not something true or false
  compare it: t = ...

ensures PUT /books/{isbn}
res_body(@){title} in 2xx
^ error ICP325
`res_body(@){title}` is a text, not a status code
  write res_code(...) in 2xx

ensures PUT /books/{isbn}
res_body(@){pages} in 2xx
^ warning ICP325
`res_body(@){pages}` is not a status code
  write res_code(...) in 2xx

invariants
req_body(@) in 2xx
^ warning ICP325
`req_body(@)` is not a status code
  write res_code(...) in 2xx
^ warning ICP327
`req_body(@)` is a part of one call, and an invariant belongs to none
  say it with a GET, or move the clause to the `ensures` of an operation

ensures PUT /books/{isbn}
prev(res_code(GET /books/{isbn})) in 4xx

ensures PUT /books/{isbn}
res_body(@){pages} in ["a", "b"]
^ error ICP325
the elements are each a text, and `res_body(@){pages}` is a number: it is never among them

ensures PUT /books/{isbn}
contains(res_body(@){tags}, 5)
                            ^ error ICP325
the elements are each a text, and `5` is a number: it is never among them

ensures PUT /books/{isbn}
"a" in res_body(@){title} && isbn in res_body(GET /books/{isbn}/copies)

ensures PUT /books/{isbn}
5 in res_body(@){author}
     ^ error ICP325
`res_body(@){author}` is an object, which is neither a list nor a text

invariants
sum(res_body(GET /books), title) = 5
    ^ error ICP325
the elements of `res_body(GET /books)` are each a text: they cannot be added up

invariants
max(res_body(GET /books)) != null
    ^ error ICP325
the elements of `res_body(GET /books)` are each an object: they have no order

invariants
max(res_body(GET /books), pages) = "x"
                                   ^ error ICP325
a number is compared with a text: they are never equal

invariants
unique(res_body(GET /capacity))
       ^ error ICP325
`res_body(GET /capacity)` is a number, which is not a list

invariants
res_body(GET /shelves/1){width} = 5 && res_body(GET /shelves/1){width} = true
                                                                         ^ error ICP325
a number or a text is compared with a truth value: they are never equal

requires POST /books
res_code(@) = 201
^ error ICP327
`res_code(@)` does not exist yet where `requires` is checked: before the call
  move the clause to `ensures`

requires POST /books
res_code(GET /books/res_body(@){isbn}) = 404
                    ^ error ICP327
`res_body(@){isbn}` does not exist yet where `requires` is checked: before the call
  move the clause to `ensures`

requires POST /books
prev(res_body(GET /capacity)) > 1
^ error ICP327
`prev` is the state before the call, and so is everything in `requires`
  leave `prev` out

requires POST /books
req_body(@){title} != ""

invariants
response_code(this) == 200
^ warning ICP327
`response_code(this)` is a part of one call, and an invariant belongs to none
  say it with a GET, or move the clause to the `ensures` of an operation

invariants
res_body(GET /capacity) >= prev(res_body(GET /capacity))
                           ^ warning ICP327
`prev` needs a call, and an invariant belongs to none
  move the clause to the `ensures` of an operation

ensures PUT /books/{isbn}
prev(req_body(@){title}) = res_body(@){title}
^ warning ICP328
`req_body(@){title}` does not depend on the state, so `prev` changes nothing
  leave `prev` out

ensures PUT /books/{isbn}
for b in res_body(GET /books) : prev(b.title) = b.title
                                ^ warning ICP328
`b.title` does not depend on the state, so `prev` changes nothing
  leave `prev` out

ensures PUT /books/{isbn}
prev(res_body(@){title}) = res_body(@){title}
     ^ error ICP327
`res_body(@)` does not exist before the call, where `prev` looks
  take it out of `prev`

ensures PUT /books/{isbn}
prev(res_code(GET /books/res_body(@){isbn})) = 200
                         ^ error ICP327
`res_body(@){isbn}` does not exist before the call, where `prev` looks
  take it out of `prev`

ensures PUT /books/{isbn}
prev(res_body(GET /books/{isbn}){title}) = res_body(@){title}

ensures PUT /books/{isbn}
query_param(@){force} && isbn + 1 = 5
"""
    ),
)
def test_types_and_placement(library: ApiSpec, where: str, clause: str, expected: str) -> None:
    assert said(check_contracts(contracts(where, clause), library)) == expected
