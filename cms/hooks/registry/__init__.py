"""What the core and all plugins have registered: checked once at boot, then frozen."""

from cms.hooks.registry.build import build_commands, build_registry

__all__ = ["build_commands", "build_registry"]
