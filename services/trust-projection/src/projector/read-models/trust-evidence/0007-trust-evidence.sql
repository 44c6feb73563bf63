CREATE TABLE trust_evidence (
  agent_id text COLLATE "C" PRIMARY KEY,
  -- Rewritten at every review: compressing it each time would cost more than it saves.
  evidence jsonb STORAGE EXTERNAL NOT NULL,
  trust_policy text NOT NULL,
  trust_score integer NOT NULL,
  unrounded double precision NOT NULL,
  -- Null before the first change.
  previous_score integer,
  -- The event that the score stems from.
  scored_position bigint NOT NULL
);
CREATE TABLE trust_pair (
  agent_id text COLLATE "C" NOT NULL,
  reviewer text COLLATE "C" NOT NULL,
  -- Milliseconds since the Unix epoch: the policy's own numbers, kept exactly.
  expires_at double precision NOT NULL,
  pair jsonb NOT NULL,
  PRIMARY KEY (agent_id, reviewer)
);
CREATE INDEX trust_pair_expiry ON trust_pair (agent_id, expires_at);
