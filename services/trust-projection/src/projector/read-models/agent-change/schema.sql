-- Which agents have changed since a position: instances that keep agents in memory read only these.
CREATE TABLE agent_change (
  agent_id text COLLATE "C" PRIMARY KEY,
  -- The last event that changed anything that is shown of the agent or ranks it.
  position bigint NOT NULL
);
-- The order in which they are read: agents that changed in one event share a position.
CREATE INDEX agent_change_by_position ON agent_change (position, agent_id);
