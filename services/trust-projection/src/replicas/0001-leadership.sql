-- Who may still answer from memory under a former leader. This is no read model: it tells a leader whether it has to wait.

-- Numbers the terms of leading. Never used twice.
CREATE SEQUENCE epoch;

CREATE TABLE leadership (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  -- Whether some leader has admitted members and not seen the last of them leave.
  has_members boolean NOT NULL
);
INSERT INTO leadership (has_members) VALUES (false);
