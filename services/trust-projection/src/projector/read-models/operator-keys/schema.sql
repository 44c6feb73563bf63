CREATE TABLE operator_key (
  operator_key_id text COLLATE "C" PRIMARY KEY,
  -- Of a key that was revoked, too.
  key_hash text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  created_by_id text COLLATE "C",
  created_by_issuer text COLLATE "C",
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  revoked_for text
);
CREATE INDEX operator_key_by_hash ON operator_key (key_hash);
