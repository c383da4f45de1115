"""Promises about speed, held against whole processes: `python -m bench [ROW ...]`."""
