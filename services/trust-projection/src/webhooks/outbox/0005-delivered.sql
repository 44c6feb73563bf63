-- What the consumer of each webhook has taken last, so that somebody can see that messages arrive. A new one takes the place of the oldest:
-- the number of those that were delivered says which place that is.
ALTER TABLE hook ADD COLUMN delivered bigint NOT NULL DEFAULT 0;
CREATE TABLE delivered (
  webhook_id text NOT NULL REFERENCES hook ON DELETE CASCADE,
  place integer NOT NULL,
  message_id text NOT NULL,
  type text NOT NULL,
  agent_id text NOT NULL,
  position bigint NOT NULL,
  trust_score integer,
  previous_score integer,
  attempts integer NOT NULL,
  last_failure text,
  delivered_at timestamptz NOT NULL,
  PRIMARY KEY (webhook_id, place)
);
