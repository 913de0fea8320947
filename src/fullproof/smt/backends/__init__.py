"""One module per solver; nothing else imports one."""
