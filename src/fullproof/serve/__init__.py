"""The workbench: the pipeline behind pages and a JSON interface on localhost."""
