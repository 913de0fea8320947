"""Stage 5, execute: tests -> traces; decides nothing."""
