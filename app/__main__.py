"""``python -m app``: see :mod:`app.commands`."""

from app.commands import main

if __name__ == "__main__":
    main()
