-- What the directory said of an agent before an event changed it. The event at until_position ended it.
CREATE TABLE agent_past (
  agent_id text COLLATE "C" NOT NULL,
  until_position bigint NOT NULL,
  -- By an event that erased personal data: nothing of it from before is shown again.
  erased boolean NOT NULL,
  agent jsonb NOT NULL,
  PRIMARY KEY (agent_id, until_position)
);
CREATE INDEX agent_past_erased ON agent_past (agent_id, until_position) WHERE erased;
