import { listEvents, listEventsRoute, loggedEvent, toWire } from '@agent-trust/contracts';
import { answerEvents } from './answer-events.ts';
import { askEvents } from './ask-events.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const events: Endpoint = endpoint(listEventsRoute, async ({ query, request, reply }, gateway) => {
  const { agent_id, org } = query;
  return answerEvents(
    gateway,
    { request, reply, query },
    {
      path: '/ops/events',
      caller: 'operators',
      filters: { ...(agent_id === undefined ? {} : { agent_id }), ...(org === undefined ? {} : { org }) },
      read: async (page, signal) => {
        const question = { ...page, agentId: agent_id ?? null, organisation: org ?? null };
        const answered = await askEvents(gateway, request, listEvents, question, signal);
        return { ...answered, events: answered.events.map((event) => toWire(loggedEvent, event)) };
      },
    },
  );
});
