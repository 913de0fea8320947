"""Stage 7, report: verdicts and models -> text, pictures, files."""
