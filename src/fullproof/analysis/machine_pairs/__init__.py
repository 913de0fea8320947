"""Two SysML state machines side by side: a shortest difference, or a proof that there is none."""
