-- What the registry knows of exchanges that have left the log or these tables. Half of a SHA-256 is enough to say so of an id.
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
-- How far unreviewed exchanges have left these tables by their age: one row, or none. No projection writes it.
CREATE TABLE exchange_retention (
  only_row integer PRIMARY KEY CHECK (only_row = 1),
  -- Nobody can review an exchange that ended up to here any more …
  closed_position bigint NOT NULL,
  -- … which is where the log was at this time, by its own clock; and since when that holds.
  closed_time timestamptz(3) NOT NULL,
  closed_at timestamptz(3) NOT NULL,
  -- Exactly the exchanges that ended up to here have left.
  gone_position bigint NOT NULL
);
