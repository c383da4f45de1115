"""The cluster side: a real cluster's objects, read only, held against the catalog."""
