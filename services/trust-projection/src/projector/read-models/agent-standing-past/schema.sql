-- What an agent had earned before each change, many changes a row: one row each would be the largest part of what an event costs.
CREATE TABLE agent_standing_past (
  agent_id text COLLATE "C" NOT NULL,
  -- Of the event that ended the last of the entries.
  until_position bigint NOT NULL,
  -- A line for each, oldest first: see entries.ts.
  entries text NOT NULL,
  PRIMARY KEY (agent_id, until_position)
);
-- The latest entries of each agent, until there are enough for a row above.
CREATE TABLE agent_standing_past_open (
  agent_id text COLLATE "C" PRIMARY KEY,
  entry_count integer NOT NULL,
  entries text NOT NULL
) WITH (fillfactor = 80);
