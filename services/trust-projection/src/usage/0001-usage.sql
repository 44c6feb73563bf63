-- What organisations did by UTC days, as gateways reported it, and what they may still do. This is no read model: the log has neither reads nor
-- refusals, so it cannot be computed again.
CREATE TABLE organisation_day (
  org_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  kind text COLLATE "C" NOT NULL,
  -- Requests that count towards the limit, by universe.
  in_production bigint NOT NULL,
  in_sandbox bigint NOT NULL,
  -- Requests that ended with an error, whether or not they count.
  failed bigint NOT NULL,
  -- Requests beyond the limit.
  refused bigint NOT NULL,
  -- What gateways may still use up without asking; it counts as used up until they say otherwise.
  leased bigint NOT NULL,
  PRIMARY KEY (org_id, day, kind)
);
CREATE INDEX organisation_day_by_day ON organisation_day (day);

-- The last report of each gateway, so that one that is sent again is taken once.
CREATE TABLE reporter (
  reporter_id text COLLATE "C" PRIMARY KEY,
  sequence bigint NOT NULL,
  -- What it was answered.
  granted jsonb NOT NULL,
  reported_at timestamptz NOT NULL
);
