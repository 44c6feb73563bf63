CREATE TABLE rating (
  position bigint PRIMARY KEY,
  transaction_id text COLLATE "C" NOT NULL,
  receiver_agent_id text COLLATE "C" NOT NULL,
  universe text COLLATE "C" NOT NULL,
  caller_agent_id text COLLATE "C" NOT NULL,
  caller_org_domain text,
  success boolean NOT NULL,
  score integer NOT NULL,
  reviewed_at timestamptz NOT NULL,
  event_id text NOT NULL,
  -- In production the number of the review among the agent's, from 0; in a sandbox its position. Both rise, review by review.
  place bigint NOT NULL,
  -- The number of the review among those of the same reviewer, from 0; null in a sandbox, as are the columns below.
  ordinal integer,
  -- When it counts as made, in milliseconds since the Unix epoch.
  counted_at double precision,
  reviewer_trust double precision,
  reviewer_roots jsonb
);
-- By place and not by position: a page that begins far down is found at once.
CREATE INDEX rating_by_reviewer ON rating (caller_agent_id);
CREATE INDEX rating_by_receiver ON rating (receiver_agent_id, universe, place);
CREATE INDEX rating_by_pair ON rating (receiver_agent_id, caller_agent_id, position);
