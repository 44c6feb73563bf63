-- An organisation's agents in one universe, in the order in which they are listed.
CREATE INDEX agent_by_organisation ON agent (org_id, universe, agent_id) WHERE org_id IS NOT NULL;
