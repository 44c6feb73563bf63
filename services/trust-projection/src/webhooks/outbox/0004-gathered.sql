-- A changed record of an organisation may change the scores of thousands of its agents at one position. For a webhook that reports all of them it is
-- one message with their number, in the lane of the organisation.
ALTER TABLE delivery
  ADD COLUMN agents integer,
  ADD COLUMN record double precision,
  ADD COLUMN previous_record double precision,
  DROP CONSTRAINT delivery_score_of_changes,
  ADD CONSTRAINT delivery_score_of_changes CHECK (
    (type = 'trust_score.changed') = (trust_score IS NOT NULL)
    AND (trust_policy IS NULL) = (trust_score IS NULL AND agents IS NULL)
  ),
  ADD CONSTRAINT delivery_agents_of_records CHECK (
    (type = 'organisation.record_changed') = (agents IS NOT NULL)
    AND (record IS NULL) = (agents IS NULL)
    AND (previous_record IS NULL) = (agents IS NULL)
  );
