"""``python -m cli`` is ``shoal``."""

from .main import main

if __name__ == "__main__":
    main()
