-- Narrow rows that change often; free space on each page lets most updates stay there without touching the indexes.
CREATE TABLE agent_standing (
  agent_id text COLLATE "C" PRIMARY KEY,
  universe text COLLATE "C" NOT NULL,
  routable boolean NOT NULL,
  trust_policy text NOT NULL,
  trust_score integer NOT NULL,
  transaction_count integer NOT NULL,
  review_count integer NOT NULL,
  success_count integer NOT NULL,
  -- The part of match_score that does not depend on the question.
  match_base double precision NOT NULL,
  last_active timestamptz NOT NULL,
  last_transaction_at timestamptz
) WITH (fillfactor = 80);
CREATE INDEX agent_standing_by_trust ON agent_standing (universe, trust_score DESC, agent_id) WHERE routable;

-- How many routable agents stand at each score: the registry's total and its far pages cost no count.
CREATE TABLE registry_size (
  universe text COLLATE "C" PRIMARY KEY,
  -- A list of 101 numbers.
  agents_by_score jsonb NOT NULL
);
