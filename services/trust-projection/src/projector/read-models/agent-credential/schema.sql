-- One key an agent: a new hash replaces the old one, which is what makes the old key fail.
CREATE TABLE agent_credential (
  agent_id text COLLATE "C" PRIMARY KEY,
  key_hash text COLLATE "C" NOT NULL UNIQUE,
  rotated_at timestamptz NOT NULL
);
