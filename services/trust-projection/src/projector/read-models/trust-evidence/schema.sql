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
  pair jsonb,
  -- Reviews that the pair ever had, including those that no longer count.
  reviews integer NOT NULL,
  PRIMARY KEY (agent_id, reviewer)
);
CREATE INDEX trust_pair_expiry ON trust_pair (agent_id, expires_at);

-- What trust_evidence and trust_pair are to the policy in force, of those that were in force before, as they were left. An account is a
-- policy and an agent: "v1 acme-buyer".
CREATE TABLE former_trust_evidence (
  account text COLLATE "C" PRIMARY KEY,
  trust_policy text COLLATE "C" NOT NULL,
  agent_id text COLLATE "C" NOT NULL,
  evidence jsonb STORAGE EXTERNAL NOT NULL,
  trust_score integer NOT NULL,
  unrounded double precision NOT NULL,
  previous_score integer,
  scored_position bigint NOT NULL
);
CREATE TABLE former_trust_pair (
  account text COLLATE "C" NOT NULL,
  reviewer text COLLATE "C" NOT NULL,
  expires_at double precision NOT NULL,
  pair jsonb,
  reviews integer NOT NULL,
  PRIMARY KEY (account, reviewer)
);
CREATE INDEX former_trust_pair_expiry ON former_trust_pair (account, expires_at);

-- What stood behind an agent's score before each review, under each policy: whole at the end of every so many reviews, and between them
-- what each review changed, to be undone from there. Neither is compressed, for the reason that trust_evidence is not.
CREATE TABLE trust_evidence_past (
  trust_policy text COLLATE "C" NOT NULL,
  agent_id text COLLATE "C" NOT NULL,
  -- Of the review that made the evidence here.
  until_position bigint NOT NULL,
  -- The evidence after that review: see pack-evidence.ts.
  evidence text STORAGE EXTERNAL NOT NULL,
  -- A line for each review up to it, oldest first: see undo.ts.
  undo text STORAGE EXTERNAL NOT NULL,
  PRIMARY KEY (trust_policy, agent_id, until_position)
);
-- The same of the latest reviews: they are undone from trust_evidence.
CREATE TABLE trust_evidence_past_open (
  trust_policy text COLLATE "C" NOT NULL,
  agent_id text COLLATE "C" NOT NULL,
  undo text STORAGE EXTERNAL NOT NULL,
  PRIMARY KEY (trust_policy, agent_id)
) WITH (fillfactor = 80);
