"""SysML v2 textual state definitions."""
