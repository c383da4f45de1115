"""One catalog of GPU offerings, and every file that another system needs from it."""
