"""Publishing: what a consumer's checkout lacks of the catalog's artifacts, and how it gets there.

`entries` says what goes where, `plan` compares it with what stands there and with the `record` of
what was published; `telling` and `vendor` put that into findings, `message` into a commit message.
The disk is touched by `checkout`, which reads it, by `committing`, by a `publication`, which is one
checkout's plan with what it needs to be undone, and by `together`, which carries out several.
"""
