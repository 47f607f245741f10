"""`python -m icepick` is the command `icepick`."""

from icepick.cli.main import main

if __name__ == "__main__":
    main()
