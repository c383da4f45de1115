"""The catalog: read strictly, checked across fields, and turned into frozen values."""
