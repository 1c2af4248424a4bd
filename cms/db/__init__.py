"""The site's SQLite file: connections, transactions, migrations, prepared statements."""

from cms.db.connection import Database
from cms.db.statements import Bound, Each, Plan, Position, Statements

__all__ = ["Bound", "Database", "Each", "Plan", "Position", "Statements"]
