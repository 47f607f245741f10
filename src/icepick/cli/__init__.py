"""The command line: it parses, prints and exits; everything else happens behind it."""
