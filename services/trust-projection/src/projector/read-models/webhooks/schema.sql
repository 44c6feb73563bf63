-- Receivers of changes of trust scores and of notices. What was sent is in the schema webhook_outbox, because it is not in the log.
CREATE TABLE webhook (
  webhook_id text PRIMARY KEY,
  org_id text NOT NULL,
  url text NOT NULL,
  -- Null: all of the organisation's own.
  agent_ids text[],
  secret_salt text NOT NULL,
  registered_at timestamptz NOT NULL,
  registered_position bigint NOT NULL
);

CREATE INDEX webhook_by_organisation ON webhook (org_id, registered_position);

-- Each replay that was requested, not the last alone: several may be requested before the first begins.
CREATE TABLE webhook_replay (
  webhook_id text NOT NULL,
  -- The event that requested it, and where it starts.
  position bigint NOT NULL,
  from_position bigint NOT NULL,
  PRIMARY KEY (webhook_id, position)
);

-- What is sent to webhooks besides changes of scores, which are in trust_history.
CREATE TABLE webhook_notice (
  position bigint PRIMARY KEY,
  at timestamptz NOT NULL,
  type text NOT NULL,
  -- Of an agent, whose organisation is that of its directory entry, or else of an organisation.
  agent_id text COLLATE "C",
  org_id text,
  org_domain text,
  reason text,
  cause_type text NOT NULL,
  cause_event_id text NOT NULL
);
