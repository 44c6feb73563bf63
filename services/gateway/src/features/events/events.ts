import { finished } from 'node:stream';
import {
  listAgentEvents,
  listAgentEventsRoute,
  listEvents,
  listEventsRoute,
  loggedEvent,
  toWire,
  ownedAgentEventToWire,
} from '@agent-trust/contracts';
import type { Received, Sent, UnaryMethod } from '@agent-trust/nats-rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { originOf } from '../../bus/ask.ts';
import type { Gateway } from '../../gateway.ts';
import { identify } from '../../http/caller/caller.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { answerFollow } from './answer-follow.ts';
import { answerLines, answerPage } from './answer-pages.ts';
import { askedMode, type EventSource, type EventsQuery, eventsLimits } from './event-query.ts';

const events = endpoint(listEventsRoute, async ({ query, request, reply }, gateway) => {
  const { agent_id, org, operator, break_glass } = query;
  const identifyAgain = () => identify(gateway, request, listEventsRoute);
  return answerEvents(gateway, request, reply, query, {
    path: '/ops/events',
    caller: 'operators',
    filters: {
      ...(agent_id === undefined ? {} : { agent_id }),
      ...(org === undefined ? {} : { org }),
      ...(operator === undefined ? {} : { operator }),
      ...(break_glass === undefined ? {} : { break_glass }),
    },
    read: async (page, signal) => {
      // At every page of a long answer, so that a revoked or expired credential gets nothing more.
      await identifyAgain();
      const input = {
        ...page,
        agentId: agent_id ?? null,
        organisation: org ?? null,
        operator: operator ?? null,
        breakGlass: break_glass === 'true',
      };
      const answered = await askEvents(gateway, request, listEvents, input, signal);
      if (page.waitMs > 0) await identifyAgain();
      return { ...answered, events: answered.events.map((event) => toWire(loggedEvent, event)) };
    },
  });
});

const agentEvents = endpoint(listAgentEventsRoute, async ({ params, query, caller, request, reply }, gateway) => {
  const agentId = params.agent_id;
  const identifyAgain = () => identify(gateway, request, listAgentEventsRoute);
  return answerEvents(gateway, request, reply, query, {
    path: `/org/agents/${encodeURIComponent(agentId)}/events`,
    caller: `organisation ${caller.organisation.orgId}`,
    filters: {},
    read: async (page, signal) => {
      // At every page of a long answer, so that a replaced key gets nothing more.
      const { organisation: owner } = (await identifyAgain()).caller;
      const answered = await askEvents(gateway, request, listAgentEvents, { ...page, agentId, owner }, signal);
      // The key may have been replaced while the query waited.
      if (page.waitMs > 0) await identifyAgain();
      return { ...answered, events: answered.events.map(ownedAgentEventToWire) };
    },
  });
});

export const eventEndpoints: readonly Endpoint[] = [agentEvents, events];

/** Answers a listing of events in the form that the request asks for. Followers and exports count towards a limit until they end. */
const answerEvents = async (
  gateway: Gateway,
  request: FastifyRequest,
  reply: FastifyReply,
  query: EventsQuery,
  source: EventSource,
): Promise<unknown> => {
  const mode = askedMode(request, query);
  if (mode === 'page') return answerPage(reply, source, query, gateway.baseUrl);
  finished(reply.raw, gateway.eventStreams.acquire(source.caller));
  return mode === 'export' ? answerLines(gateway, reply, source, query) : answerFollow(gateway, reply, source, query);
};

/** Asks a query that may wait for an event; `signal` ends the wait. */
const askEvents = <Method extends UnaryMethod>(
  gateway: Gateway,
  request: FastifyRequest,
  method: Method,
  input: Sent<Method['input']> & { waitMs: number },
  signal: AbortSignal | undefined,
): Promise<Received<Method['output']>> =>
  gateway.rpc.request(method, input, {
    ...originOf(request),
    timeoutMs: input.waitMs + eventsLimits.questionTimeoutMs,
    ...(signal === undefined ? {} : { signal }),
  });
