-- Settlements that agents received through the registry, in the universe where they were made.
CREATE TABLE org_payment (
  -- Of the settlement's event in the log: the order in which payments are listed, newest first.
  position bigint PRIMARY KEY,
  -- Null for an agent without an organisation.
  org_id text COLLATE "C",
  universe text COLLATE "C" NOT NULL,
  transaction_id text COLLATE "C" NOT NULL,
  receiver_agent_id text COLLATE "C" NOT NULL,
  caller_agent_id text COLLATE "C",
  -- The call in which the payment was asked for or made.
  call_ref text COLLATE "C",
  -- In the currency's units where they are known; exact in atomic units beside it.
  amount double precision,
  amount_atomic text,
  currency text,
  asset text,
  settlement_rail text NOT NULL,
  network text,
  payee_address text,
  confirmation_ref text,
  block_number bigint,
  settled_at timestamptz,
  -- When the log recorded the settlement.
  recorded_at timestamptz NOT NULL
);
CREATE INDEX org_payment_by_organisation ON org_payment (org_id, universe, position);
CREATE INDEX org_payment_by_call ON org_payment (call_ref, position) WHERE call_ref IS NOT NULL;
