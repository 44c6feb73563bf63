import { previewMatchRoute } from '../agent/preview-route.ts';
import { promoteRoute } from '../agent/universe-routes.ts';
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
