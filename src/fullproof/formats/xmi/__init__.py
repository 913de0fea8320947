"""UML state machines in XMI, as Papyrus, Enterprise Architect and MagicDraw write them."""
