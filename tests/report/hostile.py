"""What a service may answer to make a report misbehave."""

from __future__ import annotations

from icepick.execute.types import Complaint, Finding, Judged, Provenance, Request, Response, Verdict
from tests.report import records

MARKUP = (
    "</script><script>document.title='owned'</script>"
    "<img src=x onerror=\"document.title='owned'\">"
    "<svg onload=\"document.title='owned'\"></svg>"
    "</pre></details></style><style>body{display:none}</style>"
    "<a href=\"javascript:document.title='owned'\">x</a>"
    '" onmouseover="document.title=\'owned\'" x="'
    "' onfocus='document.title=1' autofocus='"
    "<!-- ]]> --> <iframe srcdoc='<script>parent.document.title=1</script>'></iframe>"
    "{{7*7}} {% raw %} ${7*7} &lt;b&gt; \x00\x07\x1b[31m\u202e\u2066\ufeff\u2028 \ud800"
)
BYTES = MARKUP.encode("utf-8", "surrogatepass") + b"\xff\xfe\xc3("
URL = "javascript:document.title='owned'//" + MARKUP.replace("\x00", "")


def finding(body: bytes = BYTES) -> Finding:
    """A finding in which every text is hostile."""
    headers = ((MARKUP, MARKUP), ("Content-Type", "text/html"), ("Location", URL))
    request = Request("POST", URL, headers, body)
    reply = Response(500, headers, body, redirects=(URL,))
    made = records.replaced(
        records.exchange(1, "POST", "/", reply), request=request, operation=MARKUP
    )
    complaint = Complaint(
        check=MARKUP,
        level=Verdict.ERR,
        promised=MARKUP,
        happened=MARKUP,
        provenance=Provenance.WRITTEN,
        about=MARKUP,
        bindings={MARKUP: MARKUP, "n": [1, {MARKUP: None}]},
        exchanges=(1,),
    )
    step = Judged(
        MARKUP, MARKUP, MARKUP, MARKUP, Verdict.ERR, MARKUP, (complaint,), made, reads=(made,)
    )
    return Finding(
        MARKUP, 1, Verdict.ERR, MARKUP, MARKUP, MARKUP, MARKUP, 500, complaint, (step,), 1
    )
