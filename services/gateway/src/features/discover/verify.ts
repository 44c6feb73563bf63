import {
  DomainError,
  faultAt,
  getAgent,
  getPastAgent,
  signVerdict,
  trustObjectToWire,
  verifyRoute,
} from '@agent-trust/contracts';
import { universeOf } from '../../http/caller/caller.ts';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { HttpRefusal } from '../../http/refusal.ts';

export const verify: Endpoint = endpoint(
  verifyRoute,
  async ({ body, query, caller, request }, gateway) => {
    const { as_of: asOf } = query;
    const universe = universeOf(caller);
    if (query.signed === 'true') {
      const { verdict } = await ask(gateway, request, signVerdict, { agentId: body.agent_id, universe });
      if (verdict === null) throw unregistered(body.agent_id);
      return { ...trustObjectToWire(verdict.agent, gateway.baseUrl), signed_verdict: verdict.signed };
    }
    const asked = { agentId: body.agent_id, universe };
    const { agent } = await (asOf === undefined
      ? ask(gateway, request, getAgent, asked)
      : ask(gateway, request, getPastAgent, { ...asked, asOf }));
    if (agent === null) throw unregistered(body.agent_id);
    return trustObjectToWire(agent, gateway.baseUrl);
  },
  {
    check: ({ query }) => {
      if (query.as_of !== undefined && query.signed === 'true') {
        throw faultAt('validation_failed', ['query', 'signed'], 'a signed verdict is of now: leave out as_of');
      }
    },
  },
);

/** An unknown agent is an error and a verdict in one: nobody who reads either can take it for trusted. */
const unregistered = (agentId: string): HttpRefusal =>
  new HttpRefusal(new DomainError('agent_not_found', 'no agent of this id is registered'), {
    fields: {
      agent_id: agentId,
      verified: false,
      trust_score: 0,
      flags: ['unregistered'],
      recommended_action: 'block',
    },
  });
