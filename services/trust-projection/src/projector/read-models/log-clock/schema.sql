-- Which position the log had reached at which time: every so many events one of them, read on from there.
CREATE TABLE log_clock (
  position bigint PRIMARY KEY,
  -- Never before that of an earlier event, whatever the clocks said.
  at timestamptz NOT NULL
);
CREATE INDEX log_clock_by_time ON log_clock (at, position);
CREATE TABLE log_clock_now (
  name text COLLATE "C" PRIMARY KEY,
  position bigint NOT NULL,
  at timestamptz NOT NULL,
  -- Events since the last of log_clock.
  events_since integer NOT NULL
);
