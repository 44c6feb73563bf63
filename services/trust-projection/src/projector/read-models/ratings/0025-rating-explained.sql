-- What an explanation says of a review. Of reviews of a sandbox, which count for nothing, it says nothing; of those that are older than
-- these columns only a replay knows it.
ALTER TABLE rating
  ADD COLUMN event_id text,
  -- In production the number of the review among the agent's, from 0; in a sandbox its position. Both rise, review by review.
  ADD COLUMN place bigint,
  -- The number of the review among those of the same reviewer, from 0.
  ADD COLUMN ordinal integer,
  -- When it counts as made, in milliseconds since the Unix epoch.
  ADD COLUMN counted_at double precision,
  ADD COLUMN reviewer_trust double precision,
  ADD COLUMN reviewer_roots jsonb;
UPDATE rating r SET place = n.place, ordinal = n.ordinal
  FROM (
    SELECT position,
      CASE WHEN universe = 'production'
        THEN row_number() OVER (PARTITION BY receiver_agent_id, universe ORDER BY position) - 1 ELSE position END AS place,
      CASE WHEN universe = 'production'
        THEN row_number() OVER (PARTITION BY receiver_agent_id, caller_agent_id, universe ORDER BY position) - 1 END AS ordinal
    FROM rating
  ) n WHERE n.position = r.position;
ALTER TABLE rating ALTER COLUMN place SET NOT NULL;
-- By place in place of position: a page that begins far down is found at once.
DROP INDEX rating_by_receiver;
CREATE INDEX rating_by_receiver ON rating (receiver_agent_id, universe, place);
CREATE INDEX rating_by_pair ON rating (receiver_agent_id, caller_agent_id, position) WHERE ordinal IS NOT NULL;
