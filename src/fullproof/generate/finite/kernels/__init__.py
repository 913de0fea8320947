"""Hot loops of the generation methods in Cython's pure-Python mode: the same files run compiled and uncompiled."""
