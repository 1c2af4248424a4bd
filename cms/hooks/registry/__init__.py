"""What the core and all plugins have registered: checked once at boot, then frozen."""

from cms.hooks.registry.build import JOINED, build_commands, build_registry

__all__ = ["JOINED", "build_commands", "build_registry"]
