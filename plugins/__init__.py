"""The bundled plugins, each written as a third party would; the setting `plugins` names those to load.

They are imported as `cms_plugins.NAME`, in a checkout and from a wheel.
"""
