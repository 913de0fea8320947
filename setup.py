"""Compile the kernels (Cython's pure-Python mode) where a C compiler is there; fall back to Python where none is."""

import os
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SHARED = "fullproof._shared"
FLAGS = ["-O3", "-g0"]
KERNELS = sorted(Path("src/fullproof").glob("**/kernels/**/[a-z]*.py"))


class OptionalBuildExt(build_ext):
    """A kernel that cannot be compiled runs uncompiled: slow, still right."""

    def finalize_options(self):
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def run(self):
        try:
            super().run()
        except Exception as error:
            self._warn(error)

    def build_extension(self, ext):
        try:
            super().build_extension(ext)
        except Exception as error:
            self._warn(error)

    def _warn(self, error):
        print(f"WARNING: fullproof's kernels stay uncompiled (slow, still right): {error}")


def extensions():
    if os.environ.get("FULLPROOF_PURE"):
        return []
    from Cython.Build import cythonize

    # One copy of Cython's memoryview code for all kernels, and no debugger's tables: a third of the compile time.
    modules = [Extension(SHARED, [], extra_compile_args=FLAGS)] + [
        Extension(".".join(path.relative_to("src").with_suffix("").parts), [str(path)], extra_compile_args=FLAGS)
        for path in KERNELS
    ]
    return cythonize(
        modules,
        build_dir="build",
        include_path=["src"],
        quiet=True,
        shared_utility_qualified_name=SHARED,
        compiler_directives={
            "language_level": 3,
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
        },
    )


setup(ext_modules=extensions(), cmdclass={"build_ext": OptionalBuildExt})
