-- What webhooks are still to be told, and how far the history has been handed over. This is no read model: it holds what happened outside
-- of the log. Lost, it begins anew with all changes since each webhook was registered, under the same message ids.

-- The changes up to here were handed over to every webhook that is not behind.
CREATE TABLE handed_over (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  position bigint NOT NULL
);
INSERT INTO handed_over (position) VALUES (-1);

CREATE TABLE hook (
  webhook_id text PRIMARY KEY,
  -- Changes up to here are none of its own.
  starts_after bigint NOT NULL,
  -- Up to where it was handed over, of one that replays, or has more to come than it may have waiting; null: with all others.
  behind_at bigint,
  -- The event of the last replay that was begun.
  replay_seen bigint,
  disabled_at timestamptz,
  resume_from bigint,
  pending integer NOT NULL DEFAULT 0,
  last_delivered_at timestamptz,
  last_failed_at timestamptz,
  last_failure text
);

CREATE TABLE delivery (
  delivery_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  webhook_id text NOT NULL REFERENCES hook ON DELETE CASCADE,
  agent_id text NOT NULL,
  position bigint NOT NULL,
  message_id text NOT NULL,
  at timestamptz NOT NULL,
  trust_policy text NOT NULL,
  trust_score integer NOT NULL,
  previous_score integer,
  cause_type text NOT NULL,
  cause_event_id text NOT NULL,
  transaction_id text,
  attempts integer NOT NULL DEFAULT 0,
  last_attempt_at timestamptz,
  last_failure text,
  -- When it was given up.
  dead_at timestamptz,
  UNIQUE (webhook_id, agent_id, position)
);
CREATE INDEX delivery_dead ON delivery (webhook_id, position) WHERE dead_at IS NOT NULL;

-- The next message of each agent that has any: what makes the order. Later ones wait for it.
CREATE TABLE lane (
  webhook_id text NOT NULL REFERENCES hook ON DELETE CASCADE,
  agent_id text NOT NULL,
  delivery_id bigint NOT NULL,
  due_at timestamptz NOT NULL,
  -- The last attempt did not reach the consumer, so that nothing about the message itself was wrong.
  unreached boolean NOT NULL DEFAULT false,
  PRIMARY KEY (webhook_id, agent_id)
);
CREATE INDEX lane_by_webhook ON lane (webhook_id, due_at);
CREATE INDEX lane_by_delivery ON lane (delivery_id);
CREATE INDEX lane_due ON lane (due_at);
