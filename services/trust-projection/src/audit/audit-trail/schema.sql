-- Who did what, when, with which kind of credential, caused by which request: one row an event. Its data is in the log alone.
CREATE TABLE audit_event (
  position bigint PRIMARY KEY,
  -- The event's place among all, counted from 0: the leaf that it is in the log's Merkle tree.
  leaf_index bigint NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  stream text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  recorded_at timestamptz NOT NULL,
  -- The latest recorded_at so far. It never falls, whatever a server's clock did, so a range of times is a range of positions.
  log_time timestamptz NOT NULL,
  actor_kind text COLLATE "C",
  actor_id text COLLATE "C",
  correlation_id text COLLATE "C",
  causation_id text COLLATE "C",
  -- Where an exchange, review or settlement took place; null for all other events.
  universe text COLLATE "C"
);
CREATE INDEX audit_event_by_log_time ON audit_event (log_time, position);
CREATE INDEX audit_event_by_type ON audit_event (type, position);
CREATE INDEX audit_event_by_correlation_id ON audit_event (correlation_id, position) WHERE correlation_id IS NOT NULL;

CREATE INDEX audit_event_by_operator ON audit_event (actor_id, position) WHERE actor_kind = 'operator' AND actor_id IS NOT NULL;
-- By a secret of the installation, which names nobody.
CREATE INDEX audit_event_by_break_glass ON audit_event (position) WHERE actor_kind IN ('admin', 'operator') AND actor_id IS NULL;

-- The agents that an event speaks of.
CREATE TABLE audit_agent (
  agent_id text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  PRIMARY KEY (agent_id, position)
);

-- The kinds of credentials that proved who caused an event, and the id of the named key of an organisation.
CREATE TABLE audit_credential (
  credential text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  PRIMARY KEY (credential, position)
);

-- The organisations that an event speaks of, and those whose agents it speaks of, as it was then.
CREATE TABLE audit_organisation (
  org_id text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  PRIMARY KEY (org_id, position)
);

-- Whose each agent is, as far as the log has been read.
CREATE TABLE audit_agent_owner (
  agent_id text COLLATE "C" PRIMARY KEY,
  org_id text COLLATE "C" NOT NULL
);

-- What the next event's row goes on from.
CREATE TABLE audit_progress (
  only_row integer PRIMARY KEY CHECK (only_row = 1),
  events bigint NOT NULL,
  log_time timestamptz NOT NULL
);
