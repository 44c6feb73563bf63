-- Settlements are recorded from here on. Agents without an organisation are paid too: theirs are for operators to see.
-- Rows of before, which no event stands behind, do not stay.
DELETE FROM org_payment;
ALTER TABLE org_payment
  ALTER COLUMN org_id DROP NOT NULL,
  -- The call in which the payment was asked for or made.
  ADD COLUMN call_ref text COLLATE "C",
  -- When the settlement got into the log.
  ADD COLUMN recorded_at timestamptz NOT NULL;
