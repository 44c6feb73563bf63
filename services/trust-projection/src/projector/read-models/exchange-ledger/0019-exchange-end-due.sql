ALTER TABLE exchange
  -- When an end is overdue, by the log's clock; null once there is one.
  ADD COLUMN end_due_at timestamptz;
-- Exchanges of before did not say how long they could be open; see version 1 of ExchangeStarted. Those that are open still are about to be
-- ended as abandoned, so that the rows are again those of a replay.
UPDATE exchange SET end_due_at = started_at + interval '1 hour' WHERE ended_position IS NULL;
CREATE INDEX exchange_overdue ON exchange (end_due_at) WHERE end_due_at IS NOT NULL;
