-- The agent that this one's own stream pairs it with; related_agent_id is set once each of the two names the other.
ALTER TABLE agent ADD COLUMN paired_agent_id text COLLATE "C";
