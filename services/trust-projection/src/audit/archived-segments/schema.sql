-- The segments whose events are, or were, outside the log.
CREATE TABLE archived_segment (
  segment text COLLATE "C" PRIMARY KEY,
  -- Of the event that says so.
  record_position bigint NOT NULL,
  first_position bigint NOT NULL,
  last_position bigint NOT NULL,
  event_count integer NOT NULL,
  exchange_count integer NOT NULL,
  ended_from timestamptz NOT NULL,
  ended_to timestamptz NOT NULL,
  archived_at timestamptz NOT NULL,
  -- Its events are in the log again.
  is_restored boolean NOT NULL
);
CREATE INDEX archived_segment_by_last_position ON archived_segment (last_position);
