CREATE TABLE exchange (
  transaction_id text COLLATE "C" PRIMARY KEY,
  caller_agent_id text COLLATE "C" NOT NULL,
  receiver_agent_id text COLLATE "C" NOT NULL,
  universe text COLLATE "C" NOT NULL,
  status text NOT NULL,
  status_code integer,
  reviewed boolean NOT NULL,
  started_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- Position in the log of the exchange's end; null while it runs.
  ended_position bigint,
  -- When an end is overdue, by the log's clock; null once there is one.
  end_due_at timestamptz
);
CREATE INDEX exchange_unreviewed ON exchange (caller_agent_id, receiver_agent_id, ended_position)
  WHERE NOT reviewed AND ended_position IS NOT NULL;
-- In the order in which unreviewed exchanges leave.
CREATE INDEX exchange_leaving ON exchange (ended_position) WHERE NOT reviewed AND ended_position IS NOT NULL;
CREATE INDEX exchange_overdue ON exchange (end_due_at) WHERE end_due_at IS NOT NULL;
