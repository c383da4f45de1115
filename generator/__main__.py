"""`python -m generator` is `gpu-catalog`."""

from generator.cli import console

if __name__ == "__main__":
    console()
