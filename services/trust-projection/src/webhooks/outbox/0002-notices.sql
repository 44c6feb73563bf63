-- A message may be about something other than a score: a notice of what happened to an agent or to the webhook's own organisation. A notice
-- of the organisation has the empty text as agent_id, which no agent has, so that it has a lane of its own.
ALTER TABLE delivery
  ADD COLUMN type text NOT NULL DEFAULT 'trust_score.changed',
  ADD COLUMN org_domain text,
  ADD COLUMN reason text,
  ALTER COLUMN trust_policy DROP NOT NULL,
  ALTER COLUMN trust_score DROP NOT NULL,
  ADD CONSTRAINT delivery_score_of_changes CHECK (
    (type = 'trust_score.changed') = (trust_score IS NOT NULL) AND (trust_policy IS NULL) = (trust_score IS NULL)
  );
