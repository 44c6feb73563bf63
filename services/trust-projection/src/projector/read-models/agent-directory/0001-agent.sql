-- Identifiers compare byte by byte: orders are then the same on every server, whatever its locale.
CREATE TABLE agent (
  agent_id text COLLATE "C" PRIMARY KEY,
  universe text COLLATE "C" NOT NULL,
  org_id text COLLATE "C",
  org_name text,
  -- The name as it is compared: case-insensitively.
  org_name_key text COLLATE "C",
  org_domain text,
  verified boolean NOT NULL,
  public_key text,
  contact_info text,
  contact_email text,
  related_agent_id text COLLATE "C",
  routable boolean NOT NULL,
  message_protocol text NOT NULL,
  settlement_rail text[] NOT NULL,
  configuration jsonb NOT NULL,
  registered_at timestamptz NOT NULL
);
CREATE INDEX agent_by_org_name ON agent (universe, org_name_key) WHERE org_name_key IS NOT NULL;
