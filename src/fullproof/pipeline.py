"""The contents page: model -> check -> abstract -> generate -> concretise -> execute -> judge -> report."""
