CREATE TABLE movement (
  position bigint PRIMARY KEY,
  account_id text NOT NULL,
  change double precision NOT NULL
);
