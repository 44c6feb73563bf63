CREATE TABLE audit (
  account_id text PRIMARY KEY,
  audits integer NOT NULL,
  movements integer NOT NULL,
  sum double precision NOT NULL
);
