-- What the registry knows of exchanges that have left the log. Half of a SHA-256 is enough to say of an id that its exchange was archived.
CREATE TABLE archived_exchange (
  id_hash bigint PRIMARY KEY
);
CREATE TABLE exchange_archive (
  only_row integer PRIMARY KEY CHECK (only_row = 1),
  segments integer NOT NULL,
  exchanges bigint NOT NULL,
  -- The last event that was archived, and when its exchange ended by the log's clock.
  last_position bigint NOT NULL,
  ended_to timestamptz NOT NULL
);
