CREATE TABLE organisation (
  org_id text COLLATE "C" PRIMARY KEY,
  org_name text NOT NULL,
  contact_email text NOT NULL,
  created_at timestamptz NOT NULL,
  is_disabled boolean NOT NULL
);
-- The agents that a change of their organisation's state concerns.
CREATE TABLE organisation_member (
  org_id text COLLATE "C" NOT NULL,
  agent_id text COLLATE "C" NOT NULL,
  -- Milliseconds since the Unix epoch.
  joined_at double precision NOT NULL,
  PRIMARY KEY (org_id, agent_id)
);
CREATE INDEX organisation_member_by_time ON organisation_member (org_id, joined_at);
-- One key of an organisation for each universe: a new hash replaces the old one, which is what makes the old key fail.
-- The hash is not unique here: a projection that stopped at a key that was issued twice would stop the whole registry. Queries
-- let such a key open nothing.
CREATE TABLE organisation_key (
  key_hash text COLLATE "C" NOT NULL,
  org_id text COLLATE "C" NOT NULL,
  universe text COLLATE "C" NOT NULL,
  PRIMARY KEY (org_id, universe)
);
CREATE INDEX organisation_key_by_hash ON organisation_key (key_hash);
