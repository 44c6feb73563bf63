-- Narrow rows that change often; free space on each page lets most updates stay there without touching the indexes.
CREATE TABLE agent_standing (
  agent_id text COLLATE "C" PRIMARY KEY,
  universe text COLLATE "C" NOT NULL,
  routable boolean NOT NULL,
  trust_policy text NOT NULL,
  trust_score integer NOT NULL,
  transaction_count integer NOT NULL,
  -- Those of them whose caller belongs to another organisation.
  other_org_transaction_count integer NOT NULL,
  review_count integer NOT NULL,
  success_count integer NOT NULL,
  -- The part of match_score that does not depend on the question.
  match_base double precision NOT NULL,
  last_active timestamptz NOT NULL,
  last_transaction_at timestamptz,
  -- How the agent answers calls, packed: see recent-exchanges/liveness.ts. Null before the first.
  liveness text,
  -- How sure the score is, packed: see confidence.ts.
  confidence jsonb NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX agent_standing_by_trust ON agent_standing (universe, trust_score DESC, agent_id) WHERE routable;
-- By the beginning of an id, score by score: the most trusted of many are found without looking at the others.
CREATE INDEX agent_standing_by_name ON agent_standing (universe, trust_score DESC, lower(agent_id), agent_id) WHERE routable;

-- How many routable agents stand at each score: the registry's total and its far pages cost no count.
CREATE TABLE registry_size (
  universe text COLLATE "C" PRIMARY KEY,
  -- A list of 101 numbers.
  agents_by_score jsonb NOT NULL
);

-- What an agent had earned before each change, many changes a row: one row each would be the largest part of what an event costs.
CREATE TABLE agent_standing_past (
  agent_id text COLLATE "C" NOT NULL,
  -- Of the event that ended the last of the entries.
  until_position bigint NOT NULL,
  -- A line for each, oldest first: see past.ts.
  entries text NOT NULL,
  PRIMARY KEY (agent_id, until_position)
);
-- The latest entries of each agent, until there are enough for a row above.
CREATE TABLE agent_standing_past_open (
  agent_id text COLLATE "C" PRIMARY KEY,
  entry_count integer NOT NULL,
  entries text NOT NULL
) WITH (fillfactor = 80);
