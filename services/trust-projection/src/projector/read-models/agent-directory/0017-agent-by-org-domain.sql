-- How many agents share a domain decides whether a single key of its directory can be theirs.
CREATE INDEX agent_by_org_domain ON agent (org_domain) WHERE org_domain IS NOT NULL;
