"""Scan: retired labels in other people's files, where they stand, and what to write instead."""
