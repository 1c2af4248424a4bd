"""Which packages a wheel has: `cms`, and the bundled plugins of the folder `plugins` as `cms_plugins`.

All else stands in pyproject.toml, which can't find packages under another name than that of their folder.
"""

from setuptools import find_namespace_packages, setup

BUNDLED = ["cms_plugins", *(f"cms_plugins.{name}" for name in find_namespace_packages("plugins"))]

setup(
    packages=[*find_namespace_packages(include=["cms", "cms.*"]), *BUNDLED],
    package_dir={"cms_plugins": "plugins"},
)
