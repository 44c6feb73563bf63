-- An agent's score. Rewritten at every review, so it is narrow: the evidence behind it is in trust_evidence_step.
CREATE TABLE trust_evidence (
  agent_id text COLLATE "C" PRIMARY KEY,
  trust_policy text NOT NULL,
  trust_score integer NOT NULL,
  unrounded double precision NOT NULL,
  -- Null before the first change.
  previous_score integer,
  -- The event that the score stems from.
  scored_position bigint NOT NULL,
  -- Milliseconds since the Unix epoch; null before the first review.
  newest_at double precision,
  -- The last step that led here.
  window_position bigint NOT NULL,
  step integer NOT NULL,
  -- The score as a function of the prior, under formula v2: see tables.ts.
  line jsonb
) WITH (fillfactor = 80);
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
  trust_score integer NOT NULL,
  unrounded double precision NOT NULL,
  previous_score integer,
  scored_position bigint NOT NULL,
  newest_at double precision,
  window_position bigint NOT NULL,
  step integer NOT NULL,
  line jsonb
) WITH (fillfactor = 80);
CREATE TABLE former_trust_pair (
  account text COLLATE "C" NOT NULL,
  reviewer text COLLATE "C" NOT NULL,
  expires_at double precision NOT NULL,
  pair jsonb,
  reviews integer NOT NULL,
  PRIMARY KEY (account, reviewer)
);
CREATE INDEX former_trust_pair_expiry ON former_trust_pair (account, expires_at);

-- How an agent's evidence came about, under each policy: a row for its registration and one for each review, never rewritten. The first step
-- of a window has the whole evidence, each later one what its review changed, so any evidence is found by reading a part of one window.
CREATE TABLE trust_evidence_step (
  trust_policy text COLLATE "C" NOT NULL,
  agent_id text COLLATE "C" NOT NULL,
  -- Of the first step of the window.
  window_position bigint NOT NULL,
  step integer NOT NULL,
  -- Of the event.
  position bigint NOT NULL,
  -- The score after it.
  trust_score integer NOT NULL,
  unrounded double precision NOT NULL,
  -- See steps.ts. Not compressed: that would cost more than it saves.
  change text STORAGE EXTERNAL NOT NULL,
  PRIMARY KEY (trust_policy, agent_id, window_position, step)
);

-- Formula v2 also keeps evidence about organisations. A subject is a policy, a kind and an id: "v2 record 0199c2f4-...".
CREATE TABLE organisation_evidence (
  subject text COLLATE "C" PRIMARY KEY,
  trust_policy text COLLATE "C" NOT NULL,
  -- record, or standing: what it answers for, too; from its first answer on.
  kind text NOT NULL,
  org_id text COLLATE "C" NOT NULL,
  record double precision NOT NULL,
  vouchers integer NOT NULL,
  newest_at double precision,
  scored_position bigint NOT NULL,
  window_position bigint NOT NULL,
  step integer NOT NULL
) WITH (fillfactor = 80);
CREATE TABLE organisation_evidence_step (
  subject text COLLATE "C" NOT NULL,
  window_position bigint NOT NULL,
  step integer NOT NULL,
  position bigint NOT NULL,
  change text STORAGE EXTERNAL NOT NULL,
  PRIMARY KEY (subject, window_position, step)
);
CREATE TABLE organisation_pair (
  subject text COLLATE "C" NOT NULL,
  reviewer text COLLATE "C" NOT NULL,
  expires_at double precision NOT NULL,
  pair jsonb NOT NULL,
  PRIMARY KEY (subject, reviewer)
);
CREATE INDEX organisation_pair_expiry ON organisation_pair (subject, expires_at);
-- Which organisations have found an agent of another one good.
CREATE TABLE organisation_voucher (
  trust_policy text COLLATE "C" NOT NULL,
  org_id text COLLATE "C" NOT NULL,
  voucher text COLLATE "C" NOT NULL,
  -- Since when, by the position of the review; void reviews make further periods.
  periods jsonb NOT NULL,
  PRIMARY KEY (trust_policy, org_id, voucher)
);
CREATE TABLE organisation_record_change (
  trust_policy text COLLATE "C" NOT NULL,
  org_id text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  at timestamptz NOT NULL,
  record double precision NOT NULL,
  previous_record double precision NOT NULL,
  standing double precision NOT NULL,
  previous_standing double precision NOT NULL,
  cause_type text NOT NULL,
  cause_event_id text NOT NULL,
  transaction_id text,
  PRIMARY KEY (trust_policy, org_id, position)
);
-- Reviews as they were added to evidence: for explanations, and to count anew without void ones.
CREATE TABLE trust_entry (
  subject text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  receiver_agent_id text COLLATE "C" NOT NULL,
  reviewer text COLLATE "C" NOT NULL,
  place integer NOT NULL,
  counted_at double precision NOT NULL,
  standing_place integer,
  standing_counted_at double precision,
  trust double precision NOT NULL,
  success boolean NOT NULL,
  score integer NOT NULL,
  roots jsonb NOT NULL,
  own text COLLATE "C",
  is_established boolean NOT NULL,
  share double precision,
  vouches boolean NOT NULL,
  org_id text COLLATE "C",
  answered_by text[] NOT NULL,
  PRIMARY KEY (subject, position)
);
CREATE INDEX trust_entry_by_reviewer ON trust_entry (subject, reviewer, position);
-- For which organisation a domain was reserved last.
CREATE TABLE reserved_domain (
  domain text COLLATE "C" PRIMARY KEY,
  org_id text COLLATE "C"
);
