CREATE TABLE account (
  account_id text PRIMARY KEY,
  total double precision NOT NULL,
  deposits integer NOT NULL,
  last_position bigint NOT NULL,
  last_deposit_at timestamptz NOT NULL,
  labels text[] NOT NULL,
  details jsonb
);
CREATE TABLE deposit (
  account_id text NOT NULL,
  deposit_id text NOT NULL,
  amount double precision NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, deposit_id)
);
CREATE INDEX deposit_expiry ON deposit (account_id, expires_at);
CREATE TABLE movement (
  position bigint PRIMARY KEY,
  account_id text NOT NULL,
  change double precision NOT NULL
);
CREATE INDEX movement_of_account ON movement (account_id, position);
