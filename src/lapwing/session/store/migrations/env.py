"""How alembic reaches the store: over the connection it is handed."""

from alembic import context

from lapwing.session.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
