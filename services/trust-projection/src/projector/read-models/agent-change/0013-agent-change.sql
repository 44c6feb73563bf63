-- Which agents have changed since a position: whoever keeps agents in memory asks for these alone.
CREATE TABLE agent_change (
  agent_id text COLLATE "C" PRIMARY KEY,
  -- Of the last event that changed anything that is shown of the agent or ranks it.
  position bigint NOT NULL
);
-- The order in which they are asked for: agents that changed in one event, or were there before this table, share a position.
CREATE INDEX agent_change_by_position ON agent_change (position, agent_id);

-- Agents of a read model that is older than this table: when each last changed is in the log alone, and that all of them are new to
-- whoever asks is true here. A replay knows better, so this table is not compared with what a replay makes of it.
INSERT INTO agent_change (agent_id, position)
  SELECT a.agent_id, p.position FROM agent a, projection_checkpoint p WHERE p.position IS NOT NULL;
