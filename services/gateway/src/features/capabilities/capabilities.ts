import { capabilityTree, listCapabilities, listCapabilitiesRoute, toWire } from '@agent-trust/contracts';
import { ask, readInHalves } from '../../bus/ask.ts';
import { universeOf } from '../../http/caller/caller.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { madeOf, sendUnlessCurrent, setPageHeaders } from '../../http/public-document.ts';

export const capabilities: Endpoint = endpoint(
  listCapabilitiesRoute,
  async ({ query, caller, request, reply }, gateway) => {
    const { limit, offset, text = null, category = null } = query;
    const universe = universeOf(caller);
    const { total, ...tree } = await readInHalves(
      { limit, offset },
      (batch) => ask(gateway, request, listCapabilities, { universe, text, category, ...batch }),
      (first, second) => ({ ...second, capabilities: [...first.capabilities, ...second.capabilities] }),
    );
    const filters = { ...(text === null ? {} : { text }), ...(category === null ? {} : { category }) };
    setPageHeaders(reply, `${gateway.baseUrl}/capabilities`, { limit, offset, ...filters }, total);
    const headers = [reply.getHeader('x-total-count'), reply.getHeader('link')];
    return sendUnlessCurrent(request, reply, madeOf(toWire(capabilityTree, tree), headers));
  },
);
