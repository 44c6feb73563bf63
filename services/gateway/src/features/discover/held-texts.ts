import {
  agentProfileToWire,
  changedKeys,
  getAgentProfile,
  production,
  type PublicAgent,
  unregistered,
} from '@agent-trust/contracts';
import type { Answer } from '@agent-trust/edge-replica/bus';
import { ask, type Origin } from '../../bus/ask.ts';
import { readShownAgents } from '../../bus/read-shown-agents.ts';
import { shownVerdicts, type ShownVerdict } from './find-verdict.ts';
import type { Gateway } from '../../gateway.ts';
import { type Made, madeOf } from '../../http/public-document.ts';

// Answers about agents of production, as JSON texts: what is held need not be made again. That an agent is unknown is not held: anybody can name
// any number of such agents, which would push out the others.

const profileKey = (agentId: string): string => `profile:${agentId}`;
const verdictKey = (agentId: string): string => `verdict:${agentId}`;

/** The built-in policy of formula v1, which knows no records. No other policy can have its name. */
const policyWithoutRecords = 'v1';

/**
 * An answer about an agent as it is held; one about an unknown agent is not. The agent's score may also depend on the record of its organisation, which
 * changes with reviews of others.
 */
const answerAbout = <Value extends string | Made>(
  agentId: string,
  value: Value | null,
  shown: Pick<PublicAgent, 'orgId' | 'trustPolicy'> | null,
): Answer<Value | null> => {
  if (value === null || shown === null) return { value, dependsOn: null };
  const { orgId, trustPolicy } = shown;
  const ofAgent = [changedKeys.agent(agentId), changedKeys.standing(agentId)];
  const hasRecord = orgId !== null && trustPolicy !== policyWithoutRecords;
  return { value, dependsOn: hasRecord ? [...ofAgent, changedKeys.record(orgId)] : ofAgent };
};
const verdictAnswer = (agentId: string, found: ShownVerdict | null): Answer<string | null> =>
  answerAbout(agentId, found?.text ?? null, found);

/** An agent's trust object; null for an unknown agent. */
export function verdictText(gateway: Gateway, request: Origin, agentId: string): Promise<string | null> {
  return gateway.replica.read(verdictKey(agentId), async () =>
    verdictAnswer(agentId, await gateway.findVerdict(request, agentId)),
  );
}

/** The same if it is held. */
export function heldVerdict(gateway: Gateway, agentId: string): string | undefined {
  return gateway.replica.held<string>(verdictKey(agentId));
}

/** The trust objects of agents in the order of their ids, all of one moment: all from memory, or all from one question. */
export async function verdictsText(gateway: Gateway, request: Origin, agentIds: string[]): Promise<string> {
  // Nothing is awaited between these.
  const held = agentIds.map((agentId) => heldVerdict(gateway, agentId));
  const texts = held.every((text) => text !== undefined) ? held : await askAll(gateway, request, agentIds);
  return `[${texts.map((text, at) => text ?? JSON.stringify(unregistered(agentIds[at] ?? ''))).join(',')}]`;
}

const askAll = async (gateway: Gateway, request: Origin, agentIds: string[]): Promise<(string | null)[]> => {
  const unique = [...new Set(agentIds)];
  const asking = readShownAgents(gateway, request, production, unique).then((agents) =>
    shownVerdicts(agents, gateway.baseUrl),
  );
  for (const agentId of unique) {
    const answer = async () => verdictAnswer(agentId, (await asking).get(agentId) ?? null);
    // For later: this answer takes none that are held, which may be of another moment.
    gateway.replica.read(verdictKey(agentId), answer).catch(() => undefined);
  }
  const found = await asking;
  return agentIds.map((agentId) => found.get(agentId)?.text ?? null);
};

/**
 * An agent's profile; null for an unknown agent. One with a text that a key opens, a contact or an answer to a rating, is not held:
 * the key may be destroyed at any time.
 */
export function profileDocument(gateway: Gateway, request: Origin, agentId: string): Promise<Made | null> {
  return gateway.replica.read(profileKey(agentId), async () => {
    const { agent, ratings } = await ask(gateway, request, getAgentProfile, { agentId, universe: production });
    const value = agent && madeOf(agentProfileToWire(agent, ratings, gateway.baseUrl));
    const answer = answerAbout(agentId, value, agent);
    const isOpened = agent?.contactInfo != null || ratings.some((rating) => rating.answer?.text != null);
    return isOpened ? { ...answer, dependsOn: null } : answer;
  });
}

/** The same if it is held. */
export function heldProfile(gateway: Gateway, agentId: string): Made | undefined {
  return gateway.replica.held<Made>(profileKey(agentId));
}
