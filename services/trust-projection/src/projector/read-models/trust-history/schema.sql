CREATE TABLE trust_history (
  agent_id text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  at timestamptz NOT NULL,
  trust_policy text NOT NULL,
  trust_score integer NOT NULL,
  previous_score integer,
  cause_type text NOT NULL,
  cause_event_id text NOT NULL,
  transaction_id text,
  PRIMARY KEY (agent_id, position)
);
-- Changes of all agents since a position, which are sent to webhooks.
CREATE INDEX trust_history_by_position ON trust_history (position);
