-- How many reviews the pair ever had: also of those whose reviews count for nothing any more, of which nothing else is kept.
ALTER TABLE trust_pair ADD COLUMN reviews integer, ALTER COLUMN pair DROP NOT NULL;
INSERT INTO trust_pair (agent_id, reviewer, expires_at, pair, reviews)
  SELECT receiver_agent_id, caller_agent_id, 8.64e15, NULL, count(*) FROM rating
  WHERE universe = 'production' GROUP BY receiver_agent_id, caller_agent_id
  ON CONFLICT (agent_id, reviewer) DO UPDATE SET reviews = EXCLUDED.reviews;
ALTER TABLE trust_pair ALTER COLUMN reviews SET NOT NULL;
