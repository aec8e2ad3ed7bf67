"""``python -m rag``: the command line."""

from rag.commands import main

if __name__ == "__main__":
    main()
