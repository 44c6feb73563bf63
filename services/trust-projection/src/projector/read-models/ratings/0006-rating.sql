CREATE TABLE rating (
  position bigint PRIMARY KEY,
  transaction_id text COLLATE "C" NOT NULL,
  receiver_agent_id text COLLATE "C" NOT NULL,
  universe text COLLATE "C" NOT NULL,
  caller_agent_id text COLLATE "C" NOT NULL,
  caller_org_domain text,
  success boolean NOT NULL,
  score integer NOT NULL,
  reviewed_at timestamptz NOT NULL
);
CREATE INDEX rating_by_receiver ON rating (receiver_agent_id, universe, position);
