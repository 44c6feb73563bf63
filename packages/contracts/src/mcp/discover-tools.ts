import { z } from 'zod';
import { importAgentRoute } from '../agent-card/import-route.ts';
import { agentRoute, matchRoute, registryRoute, verifyRoute } from '../agent/routes.ts';
import { capabilityName } from '../capability/name.ts';
import { limits } from '../limits.ts';
import {
  findOrganisationRoute,
  organisationRecordRoute,
  recordHistoryRoute,
} from '../trust/organisation-record-routes.ts';
import { hints, othersWords, type RouteTool, type ToolArguments } from './tool.ts';

/** Tools that read: an agent, matches, lists, an unregistered card, the record of an organisation. */

export const verifyAgentTool: RouteTool = {
  kind: 'route',
  name: 'verify_agent',
  title: 'Verify an agent',
  description:
    'Says how far an agent can be trusted. Use it whenever you have an agent_id, and again before every deal, since scores change. ' +
    'Do what recommended_action says: proceed (trust_score 70 to 100), proceed_with_limits (50 to 69), abort (below 50), block (not registered). ' +
    'flags has further warnings; liveness says how it answered its last calls; message_protocol is the format of messages for call_agent. Without an agent_id use match_agents. ' +
    "A refusal agent_not_found means that this id is not registered: do not deal with it. No credential is needed; an organisation's sandbox key on the connection searches that sandbox. " +
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
    'Finds agents by capability, best first by match_score. Start here if you need a job done and know no agent for it. Give at least one of ' +
    'required_capabilities, settlement_rail, org_name, message_protocol and live (true: only agents that answered most of their last calls); an agent must satisfy each of them, and have at least one of the capabilities. ' +
    'Names need not be exact: close ones match, too, and match_reasons explains which met which. Match does not judge trust: check trust_score and ' +
    'recommended_action before you use call_agent. Without a result try broader words, or list_registry. ' +
    "No credential is needed; an organisation's sandbox key on the connection searches that sandbox alone. " +
    othersWords,
  hints: hints.reads,
  route: matchRoute,
  extra: z.object({
    capabilities: z
      .array(capabilityName)
      .max(limits.listEntriesMax)
      .nullish()
      .describe('Another name of required_capabilities, which takes precedence.'),
  }),
  toRoute: capabilitiesToRequired,
};

export const getAgentTool: RouteTool = {
  kind: 'route',
  name: 'get_agent',
  title: 'Profile of an agent',
  description:
    'The full public profile of an agent: the answer of verify_agent with registration date, contact and received ratings, newest first. ' +
    "Use it in doubtful cases (few transactions, a middling score), to get the agent's own credentials (signup_help, auth_header_name), " +
    'or to see your review after review_transaction. For the decision alone verify_agent is shorter. ' +
    'A refusal agent_not_found means that the id is not registered, or is in another universe. ' +
    othersWords,
  hints: hints.reads,
  route: agentRoute,
};

export const listRegistryTool: RouteTool = {
  kind: 'route',
  name: 'list_registry',
  title: 'List the registry',
  description:
    'All agents that can be called, most trusted first, in pages of 50 by default. Use it to browse, or if match_agents finds nothing; for a task use match_agents. ' +
    'agent_id_prefix finds an agent of which you know how its id begins: take the id that is exactly the one you look for, since anybody may register a similar one; of a whole id ask get_agent. ' +
    'min_trust_score 50 leaves out agents that you should not deal with. total counts all; repeat with offset next_offset until it is null. ' +
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
    'Reads the A2A agent card of a domain and shows how to register that agent; nothing is stored. Use it before register_agent if the agent has a card: ' +
    "take the fields of preview (org_name only with that organisation's key on the connection), add those of missing_fields, and register. note has the steps. " +
    'Refusals: invalid_domain and domain_not_allowed (use another domain), agent_card_invalid (no readable card: register by hand), ' +
    'domain_unreachable (try again later). ' +
    othersWords,
  hints: hints.readsOthers,
  route: importAgentRoute,
};

export const findOrganisationTool: RouteTool = {
  kind: 'route',
  name: 'find_organisation',
  title: 'Find an organisation by its name',
  description:
    'Gives the org_id of an organisation from its name; case makes no difference. Use it before get_organisation_record if you know the name alone: agents show the org_id of theirs. ' +
    'A refusal organisation_not_found means that nobody has registered this name. No credential is needed.',
  hints: hints.reads,
  route: findOrganisationRoute,
};

export const getOrganisationRecordTool: RouteTool = {
  kind: 'route',
  name: 'get_organisation_record',
  title: 'Record of an organisation',
  description:
    'Why all agents of an organisation start lower, if they do: its record is made of the reviews of its agents, 75 is the best, and a lower one lowers the prior of each. ' +
    'Use it if an agent that you consider has an org_id, or before you deal with several agents of one organisation. ' +
    'left_out is the root that lowers it most and is not heard; vouchers are the organisations that praised its agents; established says whether its own praise of others counts in full; ' +
    'standing is its record with what it answers for. Reviews are newest first: total counts all, repeat with offset next_offset until it is null. ' +
    'Refusals: organisation_not_found (see find_organisation), no_organisation_records (the trust policy in force keeps none). No credential is needed.',
  hints: hints.reads,
  route: organisationRecordRoute,
};

export const getRecordHistoryTool: RouteTool = {
  kind: 'route',
  name: 'get_record_history',
  title: "Changes of an organisation's record",
  description:
    'Every change of the record and the standing of an organisation, oldest first, each with the event that caused it. Use it after get_organisation_record to see since when a record is low, and whether it recovers. ' +
    'total counts all changes; repeat with offset next_offset until it is null. ' +
    'Refusals: organisation_not_found (see find_organisation), no_organisation_records (the trust policy in force keeps none). No credential is needed.',
  hints: hints.reads,
  route: recordHistoryRoute,
};
