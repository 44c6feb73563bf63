-- The trust policies that this read model was built for, in the order in which the log puts them in force, after the built-in one that
-- every log begins with. Written before its first event; no event changes it. Meeting another, it stops.
CREATE TABLE trust_policy_plan (
  ordinal integer PRIMARY KEY,
  trust_policy text COLLATE "C" NOT NULL,
  policy jsonb NOT NULL
);
-- Since when each has been in force.
CREATE TABLE trust_policy_activation (
  ordinal integer PRIMARY KEY,
  trust_policy text COLLATE "C" NOT NULL,
  previous_policy text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  at timestamptz NOT NULL,
  event_id text NOT NULL
);
-- Every agent's score by both policies at the moment of each switch.
CREATE TABLE trust_policy_switch (
  agent_id text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  previous_policy text COLLATE "C" NOT NULL,
  previous_score integer NOT NULL,
  previous_unrounded double precision NOT NULL,
  trust_policy text COLLATE "C" NOT NULL,
  trust_score integer NOT NULL,
  unrounded double precision NOT NULL,
  PRIMARY KEY (agent_id, position)
);
