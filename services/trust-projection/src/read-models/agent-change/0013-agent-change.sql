-- Which agents have changed since a position: whoever keeps agents in memory asks for these alone.
CREATE TABLE agent_change (
  agent_id text COLLATE "C" PRIMARY KEY,
  -- Of the last event that changed anything that is shown of the agent or ranks it.
  position bigint NOT NULL
);
CREATE INDEX agent_change_by_position ON agent_change (position);

-- Agents of a read model that is older than this table: when each last changed is in the log alone, and that all of them are new to
-- whoever asks is true here.
INSERT INTO agent_change (agent_id, position)
  SELECT a.agent_id, p.position FROM agent a, projection_checkpoint p WHERE p.position IS NOT NULL;
