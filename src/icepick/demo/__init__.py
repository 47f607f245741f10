"""Services to try icepick on: real HTTP servers, correct by default, with named faults."""
