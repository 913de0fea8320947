"""The only room that opens sockets, processes and browsers."""
