"""Publishing: what a consumer's checkout lacks of the catalog's artifacts, and how it gets there.

`entries` says what goes where, `plan` compares it with what stands there, `telling` puts the plan
into findings, `message` into a commit message; `checkout` alone touches the consumer's disk.
"""
