import { randomUUID } from 'node:crypto';
import {
  a2aRoute,
  type AgentCard,
  agentCardRoute,
  buildAgentCard,
  olderAgentCardRoute,
  routes,
} from '@agent-trust/contracts';
import { aboutRegistry } from '../../about-registry.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { publicDocument } from '../../http/public-document.ts';

let made: { baseUrl: string; card: AgentCard } | undefined;

/** The agent card of the registry at this address. */
export function ownCard(baseUrl: string): AgentCard {
  if (made?.baseUrl !== baseUrl) made = { baseUrl, card: buildAgentCard(routes, { ...aboutRegistry, baseUrl }) };
  return made.card;
}

const answer = publicDocument(({ baseUrl }) => ownCard(baseUrl));

const agentCard = endpoint(agentCardRoute, async ({ request, reply }, gateway) => answer(request, reply, gateway));

const olderAgentCard = endpoint(olderAgentCardRoute, async ({ request, reply }, gateway) =>
  answer(request, reply, gateway),
);

/** The target of the registry's own card, for clients that speak A2A. */
const a2a = endpoint(a2aRoute, async ({ body }, gateway) =>
  answerMessage(body, ownCard(gateway.baseUrl), randomUUID()),
);

export const agentCardEndpoints: readonly Endpoint[] = [agentCard, olderAgentCard, a2a];

type A2aRequest = { id?: string | number | null | undefined; method: string; params?: unknown };
type A2aResponse = {
  jsonrpc: '2.0';
  id: string | number | null;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
};

/** Methods of A2A 0.2 and 0.3, and of 1.0. */
const sending: ReadonlySet<string> = new Set(['message/send', 'SendMessage']);
const streaming: ReadonlySet<string> = new Set(['message/stream', 'SendStreamingMessage']);
const aboutTasks = /^tasks\/|^(?:Get|Cancel|SubscribeTo)Task$/u;

/**
 * Answers a client that speaks A2A to the registry: a message gets directions to the registry's interfaces, in the form of the client's
 * version, anything else the error that A2A has for it (0.3 §8.2, 1.0 §5.4).
 */
export function answerMessage(request: A2aRequest, card: AgentCard, messageId: string): A2aResponse {
  const { method, params } = request;
  const id = request.id ?? null;
  const refuse = (code: number, message: string): A2aResponse => ({ jsonrpc: '2.0', id, error: { code, message } });
  if (sending.has(method)) {
    const contextId = contextIdOf(params);
    const head = { messageId, ...(contextId === undefined ? {} : { contextId }) };
    const text = directions(card);
    const data = directory(card);
    const result =
      method === 'SendMessage'
        ? {
            message: {
              ...head,
              role: 'ROLE_AGENT',
              parts: [
                { text, mediaType: 'text/plain' },
                { data, mediaType: 'application/json' },
              ],
            },
          }
        : {
            ...head,
            kind: 'message',
            role: 'agent',
            parts: [
              { kind: 'text', text },
              { kind: 'data', data },
            ],
          };
    return { jsonrpc: '2.0', id, result };
  }
  if (streaming.has(method)) return refuse(-32_004, 'nothing is streamed here; send the message without streaming');
  if (aboutTasks.test(method)) return refuse(-32_001, 'there are no tasks here');
  return refuse(-32_601, 'of the methods of A2A only sending a message is answered here');
}

/** The client's conversation id comes back unchanged, if it is not too long. */
const contextIdOf = (params: unknown): string | undefined => {
  const { message } = (params ?? {}) as { message?: unknown };
  const { contextId } = (message ?? {}) as { contextId?: unknown };
  return typeof contextId === 'string' && contextId !== '' && contextId.length <= contextIdCharsMax
    ? contextId
    : undefined;
};
const contextIdCharsMax = 255;

const directions = ({ name, documentationUrl, capabilities, skills }: AgentCard): string =>
  [
    `Nothing was done: the ${name} does not act on messages. It is used in one of these ways:`,
    ...capabilities.extensions.map(({ uri, description }) => `- ${uri}: ${description}`),
    `${documentationUrl} explains both. What it does, as requests of the REST interface:`,
    ...skills.map(({ name: what, examples }) => `- ${what}: ${requestLine(examples)}`),
  ].join('\n');

const directory = ({ documentationUrl, capabilities, skills }: AgentCard): Record<string, unknown> => ({
  interfaces: capabilities.extensions.map(({ params }) => params),
  documentation: documentationUrl,
  skills: skills.map(({ id, name, examples }) => ({ id, name, request: requestLine(examples) })),
});

/** `POST /verify` of `POST /verify {"agent_id":…}`. */
const requestLine = ([example = '']: readonly string[]): string => example.split(' ', 2).join(' ');
