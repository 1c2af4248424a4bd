"""The site's SQLite file: connections, transactions, migrations, prepared statements."""

from cms.db.connection import Database
from cms.db.plans import QueryPlan
from cms.db.statements import Bound, Each, Statements

__all__ = ["Bound", "Database", "Each", "QueryPlan", "Statements"]
