-- Identifiers compare byte by byte: orders are then the same on every server, whatever its locale.
CREATE TABLE agent (
  agent_id text COLLATE "C" PRIMARY KEY,
  universe text COLLATE "C" NOT NULL,
  org_id text COLLATE "C",
  org_name text,
  -- The name as it is compared: case-insensitively.
  org_name_key text COLLATE "C",
  org_domain text,
  -- proved or lapsed, if the agent's organisation has proved the domain.
  domain_proof text,
  verified boolean NOT NULL,
  public_key text,
  -- As the log has it: sealed.
  contact_info jsonb,
  -- The agent that this one's own stream pairs it with; related_agent_id is set once each of the two names the other.
  paired_agent_id text COLLATE "C",
  related_agent_id text COLLATE "C",
  routable boolean NOT NULL,
  is_suspended boolean NOT NULL,
  is_retired boolean NOT NULL,
  is_organisation_disabled boolean NOT NULL,
  message_protocol text NOT NULL,
  settlement_rail text[] NOT NULL,
  configuration jsonb NOT NULL,
  registered_at timestamptz NOT NULL
);
CREATE INDEX agent_by_org_name ON agent (universe, org_name_key) WHERE org_name_key IS NOT NULL;
-- An organisation's agents in one universe, in the order in which they are listed.
CREATE INDEX agent_by_organisation ON agent (org_id, universe, agent_id) WHERE org_id IS NOT NULL;
-- The newest agents of production that can be called.
CREATE INDEX agent_newest ON agent (registered_at DESC, agent_id) WHERE universe = 'production' AND routable;
-- How many agents share a domain decides whether a single key of its directory can be theirs.
CREATE INDEX agent_by_org_domain ON agent (org_domain) WHERE org_domain IS NOT NULL;

-- What was said of an agent until the event at until_position changed it.
CREATE TABLE agent_past (
  agent_id text COLLATE "C" NOT NULL,
  until_position bigint NOT NULL,
  -- By an event that took the contact away: none from before is shown again.
  hides_contacts boolean NOT NULL,
  agent jsonb NOT NULL,
  PRIMARY KEY (agent_id, until_position)
);
CREATE INDEX agent_past_hides_contacts ON agent_past (agent_id, until_position) WHERE hides_contacts;
