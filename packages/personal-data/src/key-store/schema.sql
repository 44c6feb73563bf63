-- The keys of agents' contacts, one at a time for each agent. Nothing here remembers a deleted key. Rows are vacuumed as soon as possible, because a
-- deleted row stays readable in its file until then. Running this again is harmless.
CREATE SCHEMA IF NOT EXISTS personal_data;
REVOKE ALL ON SCHEMA personal_data FROM PUBLIC;
CREATE TABLE IF NOT EXISTS personal_data.agent_key (
  key_id text COLLATE "C" PRIMARY KEY,
  agent_id text COLLATE "C" NOT NULL UNIQUE,
  wrapped_key bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
) WITH (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0);
