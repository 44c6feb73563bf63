-- A review that the operator has voided, with what is needed of its row in `rating`.
CREATE TABLE voided_review (
  -- Of the review in the log.
  position bigint PRIMARY KEY,
  receiver_agent_id text COLLATE "C" NOT NULL,
  caller_agent_id text COLLATE "C" NOT NULL,
  place bigint NOT NULL,
  ordinal integer NOT NULL,
  success boolean NOT NULL,
  -- Of the event that voided it.
  voided_position bigint NOT NULL
);
CREATE INDEX voided_review_by_place ON voided_review (receiver_agent_id, place);
CREATE INDEX voided_review_of_pair ON voided_review (receiver_agent_id, caller_agent_id, ordinal);
