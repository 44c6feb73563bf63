import { listAgentEvents, listAgentEventsRoute, ownedAgentEventToWire } from '@agent-trust/contracts';
import { identify } from '../../http/caller/caller.ts';
import { answerEvents } from './answer-events.ts';
import { askEvents } from './ask-events.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const agentEvents: Endpoint = endpoint(
  listAgentEventsRoute,
  async ({ params, query, caller, request, reply }, gateway) => {
    const agentId = params.agent_id;
    const identifyAgain = () => identify(gateway, request, listAgentEventsRoute);
    return answerEvents(
      gateway,
      { request, reply, query },
      {
        path: `/org/agents/${encodeURIComponent(agentId)}/events`,
        caller: `organisation ${caller.organisation.orgId}`,
        filters: {},
        read: async (page, signal) => {
          // At every page of a long answer: a key that was replaced opens nothing more.
          const { organisation: owner } = (await identifyAgain()).caller;
          const answered = await askEvents(gateway, request, listAgentEvents, { ...page, agentId, owner }, signal);
          // Nor what came while a question waited, when the key was replaced meanwhile.
          if (page.waitMs > 0) await identifyAgain();
          return { ...answered, events: answered.events.map(ownedAgentEventToWire) };
        },
      },
    );
  },
);
