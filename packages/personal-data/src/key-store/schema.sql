-- The keys of agents' contacts, one at a time for each agent. A key that is gone is gone: nothing here remembers it. Rows are cleared away
-- as soon as Postgres gets to it, since a deleted row stays readable in its file until then. Running this again is harmless.
CREATE SCHEMA IF NOT EXISTS personal_data;
REVOKE ALL ON SCHEMA personal_data FROM PUBLIC;
CREATE TABLE IF NOT EXISTS personal_data.agent_key (
  key_id text COLLATE "C" PRIMARY KEY,
  agent_id text COLLATE "C" NOT NULL UNIQUE,
  wrapped_key bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
) WITH (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0);
