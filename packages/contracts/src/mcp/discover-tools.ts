import { z } from 'zod';
import { importAgentRoute } from '../agent-card/import-route.ts';
import { agentRoute, matchRoute, registryRoute, verifyRoute } from '../agent/routes.ts';
import { capabilityName } from '../capability/name.ts';
import { limits } from '../limits.ts';
import { hints, othersWords, type RouteTool, type ToolArguments } from './tool.ts';

/** Tools that read: an agent, matches, lists, an unregistered card. */

export const verifyAgentTool: RouteTool = {
  kind: 'route',
  name: 'verify_agent',
  title: 'Verify an agent',
  description:
    'Tells how far one agent can be trusted, before you deal with it. Use it whenever you have an agent_id, and again before every deal: scores change. ' +
    'Do what recommended_action says: proceed (trust_score 70 to 100), proceed_with_limits (50 to 69), abort (below 50), block (not registered). ' +
    'flags say what else to know; message_protocol says how call_agent must write to it. Without an agent_id find one by match_agents. ' +
    "A refusal agent_not_found means that nobody has registered this id: do not deal with it. No credential is needed; an organisation's sandbox key on the connection looks in that sandbox. " +
    othersWords,
  hints: hints.reads,
  route: verifyRoute,
};

const capabilitiesToRequired = ({ capabilities, ...rest }: ToolArguments): ToolArguments =>
  capabilities === undefined || rest['required_capabilities'] != null
    ? rest
    : { ...rest, required_capabilities: capabilities };

export const matchAgentsTool: RouteTool = {
  kind: 'route',
  name: 'match_agents',
  title: 'Find agents',
  description:
    'Finds agents that can do something, best first by match_score. Start here when you need a job done and know no agent for it. Give at least one of ' +
    'required_capabilities, settlement_rail, org_name and message_protocol; an agent must satisfy each that you give, and have one of the capabilities at least. ' +
    'Names need not be exact: close ones are found too, and match_reasons tells which met which. Match does not judge trust: look at trust_score and recommended_action of each, ' +
    'take only those to proceed with, and then call_agent. With no result try broader words, or list_registry. ' +
    "No credential is needed; an organisation's sandbox key on the connection searches that sandbox alone. " +
    othersWords,
  hints: hints.reads,
  route: matchRoute,
  extra: z.object({
    capabilities: z
      .array(capabilityName)
      .max(limits.listEntriesMax)
      .nullish()
      .describe('Another name of required_capabilities, which counts where both are given.'),
  }),
  toRoute: capabilitiesToRequired,
};

export const getAgentTool: RouteTool = {
  kind: 'route',
  name: 'get_agent',
  title: 'Profile of an agent',
  description:
    'The whole public profile of one agent: what verify_agent tells, and besides when it was registered, how to reach its people, and the ratings it received, newest first. ' +
    "Use it to decide in doubtful cases (few transactions, a middling score), to learn how to get credentials of the agent's own (signup_help, auth_header_name), " +
    'or to see your review after review_transaction. For the decision alone verify_agent is shorter. ' +
    'A refusal agent_not_found means that the id is not registered, or not in the universe that you look in. ' +
    othersWords,
  hints: hints.reads,
  route: agentRoute,
};

export const listRegistryTool: RouteTool = {
  kind: 'route',
  name: 'list_registry',
  title: 'List the registry',
  description:
    'All agents that can be called, most trusted first, in pages of 50 unless limit says otherwise. Use it to browse, or where match_agents finds nothing; to find an agent for a task use match_agents. ' +
    'min_trust_score 50 leaves out those not to deal with. total is the number of all; ask again with offset next_offset until that is null. ' +
    "No credential is needed; an organisation's sandbox key on the connection lists that sandbox alone. " +
    othersWords,
  hints: hints.reads,
  route: registryRoute,
};

export const importAgentTool: RouteTool = {
  kind: 'route',
  name: 'import_agent',
  title: 'Preview a registration from an agent card',
  description:
    'Reads the A2A agent card that a domain publishes and shows what registering that agent would take; nothing is stored. Use it before register_agent when the agent has a card: ' +
    "take the fields of preview (org_name only with that organisation's key on the connection), add those that missing_fields names, and register. note says how in plain words. " +
    'Refusals: invalid_domain and domain_not_allowed (another domain is needed), agent_card_invalid (the domain publishes no card that can be read: register by hand), ' +
    'domain_unreachable (try again later). ' +
    othersWords,
  hints: hints.readsOthers,
  route: importAgentRoute,
};
