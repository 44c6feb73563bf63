CREATE TABLE organisation (
  org_id text COLLATE "C" PRIMARY KEY,
  org_name text NOT NULL,
  contact_email text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE TABLE organisation_key (
  key_hash text COLLATE "C" PRIMARY KEY,
  org_id text COLLATE "C" NOT NULL,
  universe text COLLATE "C" NOT NULL
);
