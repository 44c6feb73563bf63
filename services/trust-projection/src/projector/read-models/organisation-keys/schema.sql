-- An organisation's named keys, which it has in addition to one of its own for each universe.
CREATE TABLE organisation_named_key (
  org_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  universe text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  scopes text[] NOT NULL,
  -- Of a key that was revoked, too.
  key_hash text COLLATE "C" NOT NULL,
  -- Milliseconds since the Unix epoch.
  created_at double precision NOT NULL,
  replaced_at timestamptz,
  expires_at timestamptz NOT NULL,
  -- The secret that was replaced last, and until when it works.
  former_key_hash text COLLATE "C",
  former_ends_at timestamptz,
  revoked_at timestamptz,
  PRIMARY KEY (org_id, key_id)
);
CREATE INDEX organisation_named_key_by_time ON organisation_named_key (org_id, created_at);
CREATE INDEX organisation_named_key_by_hash ON organisation_named_key (key_hash);
CREATE INDEX organisation_named_key_by_former_hash ON organisation_named_key (former_key_hash) WHERE former_key_hash IS NOT NULL;
