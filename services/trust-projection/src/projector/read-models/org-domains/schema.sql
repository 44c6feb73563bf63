-- Who has proved which domain, as the domain's stream has it.
CREATE TABLE org_domain_proof (
  domain text COLLATE "C" PRIMARY KEY,
  org_id text COLLATE "C" NOT NULL,
  method text NOT NULL,
  -- Null if the operator vouches for it.
  token_hash text COLLATE "C",
  proved_at timestamptz NOT NULL,
  checked_at timestamptz NOT NULL,
  -- Looks in a row that did not find the token.
  misses integer NOT NULL,
  lapsed_at timestamptz,
  -- Null if the operator vouches for it.
  next_check_at timestamptz
);
CREATE INDEX org_domain_proof_due ON org_domain_proof (next_check_at) WHERE next_check_at IS NOT NULL;

-- The newest token that an organisation asked for. Only its hash is known.
CREATE TABLE org_domain_request (
  org_id text COLLATE "C" NOT NULL,
  domain text COLLATE "C" NOT NULL,
  token_hash text COLLATE "C" NOT NULL,
  requested_at timestamptz NOT NULL,
  PRIMARY KEY (org_id, domain)
);

-- Organisations with a proved domain, and how many they have.
CREATE TABLE proven_organisation (
  org_id text COLLATE "C" PRIMARY KEY,
  domains integer NOT NULL
);
