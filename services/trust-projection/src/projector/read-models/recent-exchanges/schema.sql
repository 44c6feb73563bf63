-- What an agent's liveness is computed from. Rewritten at the end of every exchange, with at most 2.5 kB: inline and uncompressed, a row is
-- written once, and its former versions are pruned within the page.
CREATE TABLE recent_exchange (
  agent_id text COLLATE "C" PRIMARY KEY,
  -- A fixed number of characters for each exchange, in the order of their beginnings: see packed-exchanges.ts.
  exchanges text STORAGE PLAIN NOT NULL
) WITH (fillfactor = 70);
