"""Stage 6, judge: model and trace -> verdict; pure, so that old logs can be judged again."""
