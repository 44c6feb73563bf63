-- What happened in production on each UTC day, by the times at which the log recorded it.
CREATE TABLE daily_activity (
  day text COLLATE "C" PRIMARY KEY,
  registrations integer NOT NULL,
  calls integer NOT NULL,
  reviews integer NOT NULL
) WITH (fillfactor = 50);
