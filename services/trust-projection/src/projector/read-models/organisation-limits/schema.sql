-- What the operator set for organisations; null is the default of the installation, 0 no limit.
CREATE TABLE organisation_limits (
  org_id text COLLATE "C" PRIMARY KEY,
  calls_per_day integer,
  registrations_per_day integer,
  reads_per_day integer,
  reason text NOT NULL,
  set_at timestamptz NOT NULL
);
