import { previewMatchRoute } from '../agent/preview-route.ts';
import { promoteRoute } from '../agent/universe-routes.ts';
import { listOrgDomainsRoute, requestDomainRoute, verifyDomainRoute } from '../org-domain/routes.ts';
import { listOrgAgentsRoute } from '../organisation/routes.ts';
import { hints, type RouteTool } from './tool.ts';

/** Tools of organisations, which take their keys from X-API-KEY of the connection. */

export const listOrgAgentsTool: RouteTool = {
  kind: 'route',
  name: 'list_org_agents',
  title: "List the organisation's own agents",
  description:
    'All agents of the organisation of X-API-KEY on the connection, callable or not, with endpoint_url, is_sandbox and related_agent_id. The production key lists those in production, ' +
    'the sandbox key those in the sandbox. Give limit, and repeat with offset next_offset until it is null; total counts all. ' +
    'Use it before preview_sandbox_match and promote_sandbox_agent to find drafts and their pairs. ' +
    "Refusals: credential_required and invalid_api_key (connect with the organisation's key in X-API-KEY; set_agent_key is not for it).",
  hints: hints.reads,
  route: listOrgAgentsRoute,
};

export const previewSandboxMatchTool: RouteTool = {
  kind: 'route',
  name: 'preview_sandbox_match',
  title: 'Preview how a draft would rank',
  description:
    'Ranks a sandbox agent among the live agents, as match_agents would if it were live, and explains its rank and how to raise it. Nothing is written. ' +
    "Use it while you work on a draft: preview, update_agent, preview again, then promote_sandbox_agent. It needs the organisation's sandbox key in X-API-KEY of the connection. " +
    'Refusals: sandbox_key_required (the connection has the production key), agent_not_found (no such agent in your sandbox: list_org_agents).',
  hints: hints.reads,
  route: previewMatchRoute,
};

export const promoteSandboxAgentTool: RouteTool = {
  kind: 'route',
  name: 'promote_sandbox_agent',
  title: "Copy a draft's configuration to its live agent",
  description:
    'Copies the configuration of a sandbox clone to its live agent: every configuration field, also null ones. Record, keys and contact of the live agent stay. ' +
    "It takes effect at once for everybody, so show preview_sandbox_match and ask your user first. register_agent with clone_from_agent_id makes clones. It needs the organisation's sandbox key in X-API-KEY of the connection. " +
    'Refusals: not_a_confirmed_pair (the draft is no clone of that agent), sandbox_key_required, agent_not_found (see list_org_agents).',
  hints: hints.replaces,
  route: promoteRoute,
};

export const listOrgDomainsTool: RouteTool = {
  kind: 'route',
  name: 'list_org_domains',
  title: "List the organisation's domains",
  description:
    'The domains that the organisation of X-API-KEY on the connection has asked to prove or has proved, by name. status says how far each is: requested (publish the token of request_domain_proof, then verify_domain), ' +
    'proved, or lapsed (the token is missing: publish it again before ends_at). total counts all; repeat with offset next_offset until it is null. ' +
    "Refusals: credential_required and invalid_api_key (connect with the organisation's key in X-API-KEY; set_agent_key is not for it).",
  hints: hints.reads,
  route: listOrgDomainsRoute,
};

export const requestDomainProofTool: RouteTool = {
  kind: 'route',
  name: 'request_domain_proof',
  title: 'Ask what to publish to prove a domain',
  description:
    'First step of proving a domain, so that agents with it as org_domain are shown with domain_verified and nobody else can take it. The answer has a token and two places, dns_record and page, of which one is enough. ' +
    'Have the people of the domain publish it and leave it there, then call verify_domain. Repeated, it gives the same token. ' +
    "It needs the organisation's production key in X-API-KEY of the connection. " +
    'Refusals: invalid_domain (give a name that somebody can own, without scheme or path), invalid_api_key (the connection has the sandbox key), rate_limited (wait).',
  hints: hints.addsOnce,
  route: requestDomainRoute,
};

export const verifyDomainTool: RouteTool = {
  kind: 'route',
  name: 'verify_domain',
  title: 'Prove a domain',
  description:
    'Second step: looks for the token of request_domain_proof at the domain now. With the answer the domain is proved, and agents of others that have it as org_domain lose it. ' +
    "It needs the organisation's production key in X-API-KEY of the connection. " +
    'Refusals: domain_not_requested (call request_domain_proof first), domain_proof_not_found (it is not published yet, or not to be seen: wait some minutes after a change of DNS), ' +
    'domain_proved_by_other (another organisation has proved it, and its token still stands), rate_limited and overloaded (wait).',
  hints: { ...hints.replaces, openWorldHint: true },
  route: verifyDomainRoute,
};
