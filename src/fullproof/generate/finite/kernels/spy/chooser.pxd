from fullproof.generate.finite.kernels.observations cimport Observations
