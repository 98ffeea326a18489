"""``python -m thinveil``."""

from thinveil.cli import main

if __name__ == "__main__":
    main()
