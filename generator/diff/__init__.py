"""Diff: what the change from one catalog to another means for users, quotas and consumers."""
