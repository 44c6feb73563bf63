-- How long a message waits is counted from here, not from its change: a webhook that replays its history gets messages about changes of long
-- ago. Messages that wait already have waited since now, as far as is known.
ALTER TABLE delivery ADD COLUMN queued_at timestamptz NOT NULL DEFAULT now();
