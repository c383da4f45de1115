"""One module a command: its arguments, and the disk around its pure middle."""
