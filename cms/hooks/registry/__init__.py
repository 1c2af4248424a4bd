"""What the core and all plugins have registered: checked once at boot, then frozen."""

from cms.hooks.registry.build import Registry, build_registry

__all__ = ["Registry", "build_registry"]
