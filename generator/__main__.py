"""`python -m generator` is `gpu-catalog`."""

from generator.cli import main

if __name__ == "__main__":
    main()
