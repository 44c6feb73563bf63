-- What has changed since a position, of all agents: what webhooks are told is read so.
CREATE INDEX trust_history_by_position ON trust_history (position);
