"""What is published, and whether it installs."""
