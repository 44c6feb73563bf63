-- Each replay that was asked for, not the last alone: several may have been before the first of them begins.
CREATE TABLE webhook_replay (
  webhook_id text NOT NULL,
  -- The event that asked, and from where on.
  position bigint NOT NULL,
  from_position bigint NOT NULL,
  PRIMARY KEY (webhook_id, position)
);
INSERT INTO webhook_replay SELECT webhook_id, replay_position, replay_from FROM webhook WHERE replay_position IS NOT NULL;
ALTER TABLE webhook DROP COLUMN replay_position, DROP COLUMN replay_from;
