import { type Answer, ask, freshClient, type HeaderMap } from '../ask.ts';
import { textMessage } from '../registry.ts';
import type { Viewer } from './viewers.ts';
import { freshId, type Resident, type World } from './world.ts';

/** A request that names an agent. If the agent is hidden from the viewer, the answer must equal the one for an unregistered id. */
export type Probe = {
  name: string;
  operationId: string;
  ask: (viewer: Viewer, agentId: string, world: World) => Promise<Answer>;
  isHidden: (viewer: Viewer, target: Resident) => boolean;
};

const send = (method: string, path: string, headers: HeaderMap, body?: unknown): Promise<Answer> =>
  ask(method, path, { headers, owner: path.startsWith('/org/'), ...(body === undefined ? {} : { body }) });
const post = (path: string, headers: HeaderMap, body: unknown): Promise<Answer> => send('POST', path, headers, body);

/** True if the public routes do not show the target. */
const isUnseen = (viewer: Viewer, target: Resident): boolean => target.place !== viewer.sees;
/** True if the owner routes do not show the target. */
const isUnowned = (viewer: Viewer, target: Resident): boolean =>
  !viewer.hasOrgKey || viewer.owner !== target.owner || viewer.sees !== target.place;
/** True for routes that move, copy or promote only the organisation's own agents. */
const belongsToOthers = (viewer: Viewer, target: Resident): boolean =>
  !viewer.hasOrgKey || viewer.owner !== target.owner;
/** True if the target is outside the calling agent's universe; without an agent's key there is no caller. */
const isOutsideCall = ({ agent }: Viewer, target: Resident): boolean => agent?.place !== target.place;
/** Without an agent's key a payment is made in production. */
const isOutsidePay = ({ agent }: Viewer, target: Resident): boolean => (agent?.place ?? 'production') !== target.place;
/** A sandbox agent is visible to itself and to its organisation, by either key. */
const isInForeignSandbox = (viewer: Viewer, target: Resident): boolean =>
  target.place !== 'production' && belongsToOthers(viewer, target) && viewer.agent?.name !== target.name;

const callerOf = ({ agent }: Viewer): string => agent?.agentId ?? 'a caller without a key';
/** A sandbox agent of the viewer's organisation, for requests that name two agents. */
const ownDraft = ({ owner }: Viewer, { residents }: World): string =>
  residents[owner === 'B' ? 'draft of B' : 'clone of A']?.agentId ?? '';
/** These agents appear in every request that names two agents. */
const isDraftOfProbes = ({ name }: Resident): boolean => name === 'draft of B' || name === 'clone of A';
/** The same id in every request of a run: none of these registrations may succeed. */
const neverRegistered = freshId();

/** A moment at which every agent of the world was registered. */
const aMomentAgo = (): string => new Date(Date.now() - 1).toISOString();

export const probes: readonly Probe[] = [
  {
    name: 'POST /verify',
    operationId: 'verify',
    ask: ({ headers }, agent_id) => post('/verify', headers, { agent_id }),
    isHidden: isUnseen,
  },
  {
    name: 'POST /verify/batch',
    operationId: 'verifyBatch',
    ask: ({ headers }, agent_id) => post('/verify/batch', headers, { agent_ids: [agent_id] }),
    isHidden: isUnseen,
  },
  {
    name: 'GET /agent/{agent_id}',
    operationId: 'getAgent',
    ask: ({ headers }, agentId) => send('GET', `/agent/${agentId}`, headers),
    isHidden: isUnseen,
  },
  {
    name: 'POST /verify?as_of',
    operationId: 'verify',
    ask: ({ headers }, agent_id) => post(`/verify?as_of=${encodeURIComponent(aMomentAgo())}`, headers, { agent_id }),
    isHidden: isUnseen,
  },
  {
    name: 'GET /agent/{agent_id}/trust',
    operationId: 'explainTrust',
    ask: ({ headers }, agentId) => send('GET', `/agent/${agentId}/trust`, headers),
    isHidden: isUnseen,
  },
  {
    name: 'GET /agent/{agent_id}/trust/history',
    operationId: 'getTrustHistory',
    ask: ({ headers }, agentId) => send('GET', `/agent/${agentId}/trust/history`, headers),
    isHidden: isUnseen,
  },
  {
    name: 'GET /agent/{agent_id}/trust/receipt/{transaction_id}',
    operationId: 'getReviewReceipt',
    ask: ({ headers }, agentId) => send('GET', `/agent/${agentId}/trust/receipt/none`, headers),
    isHidden: isUnseen,
  },
  {
    name: 'GET /agent/{agent_id}/reviews/leaves',
    operationId: 'listReviewLeaves',
    ask: ({ headers }, agentId) => send('GET', `/agent/${agentId}/reviews/leaves`, headers),
    isHidden: isUnseen,
  },
  {
    name: 'GET /org/agents/{agent_id}',
    operationId: 'getOrgAgent',
    ask: ({ headers }, agentId) => send('GET', `/org/agents/${agentId}`, headers),
    isHidden: isUnowned,
  },
  ...(['', '?follow=true', '?format=jsonl'] as const).map(
    (mode): Probe => ({
      name: `GET /org/agents/{agent_id}/events${mode}`,
      operationId: 'listAgentEvents',
      ask: ({ headers }, agentId) => send('GET', `/org/agents/${agentId}/events${mode}`, headers),
      isHidden: isUnowned,
    }),
  ),
  {
    name: 'POST /call',
    operationId: 'callAgent',
    ask: (viewer, agent_id) =>
      post('/call', viewer.headers, { caller_agent_id: callerOf(viewer), agent_id, message: textMessage('x') }),
    isHidden: isOutsideCall,
  },
  {
    name: 'POST /review',
    operationId: 'reviewExchange',
    ask: (viewer, receiver_agent_id) =>
      post('/review', viewer.headers, {
        caller_agent_id: callerOf(viewer),
        receiver_agent_id,
        success: true,
        score: 1,
      }),
    isHidden: isOutsideCall,
  },
  ...(['GET', 'POST'] as const).map(
    (method): Probe => ({
      name: `${method} /pay/{agent_id}`,
      operationId: method === 'GET' ? 'payByGet' : 'payByPost',
      ask: ({ headers }, agentId) => send(method, `/pay/${agentId}`, headers, method === 'GET' ? undefined : {}),
      isHidden: isOutsidePay,
    }),
  ),
  {
    name: 'POST /update',
    operationId: 'updateAgent',
    ask: ({ headers }, agent_id) => post('/update', headers, { agent_id, specialty: 'mine now' }),
    isHidden: isInForeignSandbox,
  },
  {
    name: 'POST /update with pull_from_agent_id',
    operationId: 'updateAgent',
    ask: (viewer, pull_from_agent_id, world) =>
      post('/update', viewer.headers, { agent_id: ownDraft(viewer, world), pull_from_agent_id }),
    isHidden: (viewer, target) => belongsToOthers(viewer, target) && !isDraftOfProbes(target),
  },
  {
    name: 'POST /retire',
    operationId: 'retireAgent',
    ask: ({ headers }, agent_id) => post('/retire', headers, { agent_id }),
    isHidden: isInForeignSandbox,
  },
  {
    name: 'POST /review/answer',
    operationId: 'answerReview',
    ask: ({ headers }, agent_id) =>
      post('/review/answer', headers, { agent_id, transaction_id: 'no exchange', text: 'No.' }),
    isHidden: isInForeignSandbox,
  },
  {
    name: 'POST /rotate',
    operationId: 'requestRotation',
    ask: ({ headers }, agent_id) => post('/rotate', { ...headers, ...freshClient() }, { agent_id }),
    isHidden: isInForeignSandbox,
  },
  {
    name: 'POST /register with clone_from_agent_id',
    operationId: 'registerAgent',
    ask: ({ headers }, clone_from_agent_id) =>
      post('/register', headers, { agent_id: neverRegistered, contact_email: 'o@agent.example', clone_from_agent_id }),
    isHidden: belongsToOthers,
  },
  ...(['publish', 'withdraw'] as const).map(
    (path): Probe => ({
      name: `POST /sandbox/${path}`,
      operationId: `${path}Agent`,
      ask: ({ headers }, agent_id) => post(`/sandbox/${path}`, headers, { agent_id }),
      isHidden: belongsToOthers,
    }),
  ),
  {
    name: 'POST /sandbox/promote',
    operationId: 'promoteAgent',
    ask: ({ headers }, sandbox_agent_id) => post('/sandbox/promote', headers, { sandbox_agent_id }),
    isHidden: belongsToOthers,
  },
  {
    name: 'POST /sandbox/promote onto real_agent_id',
    operationId: 'promoteAgent',
    ask: (viewer, real_agent_id, world) =>
      post('/sandbox/promote', viewer.headers, { sandbox_agent_id: ownDraft(viewer, world), real_agent_id }),
    isHidden: belongsToOthers,
  },
  {
    name: 'POST /sandbox/preview_match',
    operationId: 'previewMatch',
    ask: ({ headers }, sandbox_agent_id) => post('/sandbox/preview_match', headers, { sandbox_agent_id }),
    isHidden: (viewer, target) => belongsToOthers(viewer, target) || target.place === 'production',
  },
];

/** An answer without the parts that always differ: the request's id, the date, and the named agent. */
export function comparable({ status, text, headers }: Answer, agentId: string): unknown {
  const requestId = headers.get('x-request-id') ?? '';
  const bare = (value: string): string => value.replaceAll(agentId, '<agent>').replaceAll(requestId, '<request>');
  const kept = [...headers].filter(([name]) => name !== 'date').map(([name, value]) => [name, bare(value)]);
  return { status, headers: kept, text: bare(text) };
}

/** All of an answer that a client sees. */
export function seenOf({ status, text, headers }: Answer): string {
  return [status, ...[...headers].map((pair) => pair.join(': ')), text].join('\n');
}
