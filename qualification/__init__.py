"""The qualification kit: material from which a person may argue that `certify` and `judge` can be relied on."""
