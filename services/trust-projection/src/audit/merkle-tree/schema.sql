-- The RFC 6962 tree over the log: leaf i is the i-th event in the order of positions. Hashes are base64: those of the
-- tiles of C2SP tlog-tiles, which are leaves and the roots of full subtrees of 256, 65,536 … leaves. Only the head ever changes.
CREATE TABLE merkle_leaf (
  leaf_index bigint PRIMARY KEY,
  position bigint NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL
);
CREATE UNIQUE INDEX merkle_leaf_by_position ON merkle_leaf (position);
CREATE INDEX merkle_leaf_by_event_id ON merkle_leaf (event_id);

-- Hash n of level l (1 and up) is the root of leaves n * 256^l to (n + 1) * 256^l.
CREATE TABLE merkle_subtree (
  level integer NOT NULL,
  subtree_index bigint NOT NULL,
  hash text COLLATE "C" NOT NULL,
  PRIMARY KEY (level, subtree_index)
);

-- The head: how many leaves, the full subtrees that they are, and the last event.
CREATE TABLE merkle_tree (
  only_row integer PRIMARY KEY CHECK (only_row = 1),
  size bigint NOT NULL,
  frontier text COLLATE "C" NOT NULL,
  position bigint NOT NULL
);
