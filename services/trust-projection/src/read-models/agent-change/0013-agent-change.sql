-- Which agents have changed since a position: whoever keeps agents in memory asks for these alone.
CREATE TABLE agent_change (
  agent_id text COLLATE "C" PRIMARY KEY,
  -- Of the last event that changed anything that is shown of the agent or ranks it.
  position bigint NOT NULL
);
CREATE INDEX agent_change_by_position ON agent_change (position);
