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
