-- The owners' answers to reviews, each beside the rating of the same exchange. Here, too, a text is sealed.
CREATE TABLE review_answer (
  receiver_agent_id text COLLATE "C" NOT NULL,
  transaction_id text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  sealed text NOT NULL,
  answered_at timestamptz NOT NULL,
  -- By agent first: that an agent has no answers, as most, is found at once.
  PRIMARY KEY (receiver_agent_id, transaction_id)
);
-- Keys that an erasure has destroyed: what was sealed with one is not shown again, even if a copy of the key comes back.
CREATE TABLE erased_key (
  key_id text COLLATE "C" PRIMARY KEY,
  agent_id text COLLATE "C" NOT NULL
);
