-- Who is told of changes of trust scores, and where. What was sent is not here but in the schema webhook_outbox: it is not in the log.
CREATE TABLE webhook (
  webhook_id text PRIMARY KEY,
  org_id text NOT NULL,
  url text NOT NULL,
  -- Null: all of the organisation's own.
  agent_ids text[],
  secret_salt text NOT NULL,
  registered_at timestamptz NOT NULL,
  registered_position bigint NOT NULL,
  -- The last replay that was asked for: the event that asked, and from where on.
  replay_position bigint,
  replay_from bigint
);

CREATE INDEX webhook_by_organisation ON webhook (org_id, registered_position);
