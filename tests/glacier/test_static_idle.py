"""Clauses that are always true or always false, by themselves or by the document."""

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
T
^ note ICP331
this clause is always true, so it checks nothing
  leave it out

ensures PUT /books/{isbn}
1 = 2
^ note ICP331
this clause is always false, so nothing can meet it
  say what was meant

ensures PUT /books/{isbn}
res_body(@) = res_body(@)
^ note ICP331
this clause is always true, so it checks nothing
  leave it out

ensures PUT /books/{isbn}
res_body(@){pages} < res_body(@){pages}
^ note ICP331
this clause is always false, so nothing can meet it
  say what was meant

ensures PUT /books/{isbn}
res_body(@) = prev(res_body(GET /books/{isbn}))

ensures PUT /books/{isbn}
res_body(@){rare} || !res_body(@){rare}
^ note ICP331
this clause is always true, so it checks nothing
  leave it out

ensures PUT /books/{isbn}
res_body(@){price} < 5 && res_body(@){price} >= 5
^ note ICP331
this clause is always false, so nothing can meet it
  say what was meant

ensures PUT /books/{isbn}
res_body(@){rare} => res_body(@){rare}
^ note ICP331
this clause is always true, so it checks nothing
  leave it out

ensures PUT /books/{isbn}
res_body(@){rare} && (2 > 1 || res_body(@){title} = "x")
                      ^ note ICP331
`2 > 1 || res_body(@){title} = "x"` is always true
  leave it out

ensures PUT /books/{isbn}
F => res_body(@){rare}
^ note ICP331
this clause is always true, so it checks nothing
  leave it out

ensures PUT /books/{isbn}
!(5 in [1, 2])
^ note ICP331
this clause is always true, so it checks nothing
  leave it out

invariants
for b in res_body(GET /books) : b = b
^ note ICP331
this clause is always true, so it checks nothing
  leave it out

invariants
exists b in res_body(GET /books) : b.title != b.title
^ note ICP331
this clause is always false, so nothing can meet it
  say what was meant

invariants
exists b in [] : b = 1
^ note ICP331
this clause is always false, so nothing can meet it
  say what was meant

ensures PUT /books/{isbn}
res_body(@){isbn} != null
^ note ICP332
by the document this is always true: the schema says `required`
  leave it out: what the document says is checked anyway

ensures PUT /books/{isbn}
null = res_body(@){author.name}
^ note ICP333
by the document this is never true: the schema says `required`

ensures PUT /books/{isbn}
res_body(@){status} != null

ensures PUT /books/{isbn}
isbn != null
^ note ICP332
by the document this is always true: the schema says `required`
  leave it out: what the document says is checked anyway

requires PUT /books/{isbn}
query_param(@){force} != null

ensures PUT /books/{isbn}
res_body(@){pages} >= 1
^ note ICP332
by the document this is always true: the schema says `minimum: 1`
  leave it out: what the document says is checked anyway

ensures PUT /books/{isbn}
res_body(@){pages} > 1

ensures PUT /books/{isbn}
0 < res_body(@){pages}
^ note ICP332
by the document this is always true: the schema says `minimum: 1`
  leave it out: what the document says is checked anyway

ensures PUT /books/{isbn}
res_body(@){pages} <= 9000
^ note ICP332
by the document this is always true: the schema says `maximum: 9000`
  leave it out: what the document says is checked anyway

ensures PUT /books/{isbn}
res_body(@){pages} > 9000
                     ^ warning ICP333
by the document this is never true: the schema says `maximum: 9000`

ensures PUT /books/{isbn}
res_body(@){pages} = 0
                     ^ warning ICP333
by the document this is never true: the schema says `minimum: 1`

ensures PUT /books/{isbn}
res_body(@){price} > 0
^ note ICP332
by the document this is always true: the schema says `exclusiveMinimum: 0`
  leave it out: what the document says is checked anyway

ensures PUT /books/{isbn}
res_body(@){price} != 0 && res_body(@){price} >= 1
^ note ICP332
by the document this is always true: the schema says `exclusiveMinimum: 0`
  leave it out: what the document says is checked anyway

ensures PUT /books/{isbn}
len(res_body(@){tags}) >= 1
^ note ICP332
by the document this is always true: the schema says `minItems: 1`
  leave it out: what the document says is checked anyway

ensures PUT /books/{isbn}
res_body(@){title}.len >= 0
^ note ICP332
by the document this is always true: a length is never negative
  leave it out: what the document says is checked anyway

ensures PUT /books/{isbn}
res_body(@){isbn} != ""
^ note ICP332
by the document this is always true: the schema says `minLength: 1`
  leave it out: what the document says is checked anyway

ensures PUT /books/{isbn}
unique(res_body(@){tags})
^ note ICP332
by the document this is always true: the schema says `uniqueItems`
  leave it out: what the document says is checked anyway

ensures PUT /books/{isbn}
res_body(@){status} in ["available", "lent", "lost"]
^ note ICP332
by the document this is always true: the schema says `enum: "available", "lent"`
  leave it out: what the document says is checked anyway

ensures PUT /books/{isbn}
res_body(@){status} in ["available"]

ensures PUT /books/{isbn}
res_body(@){status} = "availble"
                      ^ warning ICP333
by the document this is never true: the schema says `enum: "available", "lent"`
  did you mean "available"?

ensures PUT /books/{isbn}
res_body(@){status} != "lost"
^ note ICP332
by the document this is always true: the schema says `enum: "available", "lent"`
  leave it out: what the document says is checked anyway

ensures PUT /books/{isbn}
res_code(@) in 2xx
^ note ICP332
by the document this is always true: PUT /books/{isbn} declares 200 only
  leave it out: what the document says is checked anyway

ensures PUT /books/{isbn}
res_code(@) = 200
^ note ICP332
by the document this is always true: PUT /books/{isbn} declares 200 only
  leave it out: what the document says is checked anyway

ensures POST /books
res_code(@) in 2xx

ensures POST /books
res_code(@) = 200
              ^ note ICP333
by the document this is never true: POST /books declares 201, 409 only

invariants
for b in res_body(GET /books) : for t in b.tags : t != null
                                                  ^ note ICP332
by the document this is always true: the schema says `type`
  leave it out: what the document says is checked anyway
"""
    ),
)
def test_idle_clauses(library: ApiSpec, where: str, clause: str, expected: str) -> None:
    assert said(check_contracts(contracts(where, clause), library)) == expected
