"""Who asks and what they may: authentication, tokens, rate limits, roles and capabilities."""
