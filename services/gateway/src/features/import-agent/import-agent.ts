import { importAgentRoute } from '@agent-trust/contracts';
import { readAskedDomain } from './asked-domain.ts';
import { endpointOfCard } from './endpoint-of-card.ts';
import { findCard } from './find-card.ts';
import { importedFrom } from './preview.ts';
import { clientGone } from '../../http/client-gone.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { clientOf } from '../../rate-limit/client-address.ts';

/** Stores nothing, here or elsewhere: each import asks the domain anew. */
export const importAgent: Endpoint = endpoint(
  importAgentRoute,
  async ({ body, request, reply }, gateway) => {
    const domain = readAskedDomain(body.domain_url);
    const release = gateway.imports.take(clientOf(request.ip));
    try {
      const { card, sourceUrl } = await findCard(gateway, domain, clientGone(reply));
      const found = await endpointOfCard(card.interfaces, sourceUrl, gateway.checkTarget);
      return importedFrom(card, found, { askedHost: domain.host, sourceUrl, baseUrl: gateway.baseUrl });
    } finally {
      release();
    }
  },
  // Every request of an address counts: who is free to ask would have the registry ask others for nothing.
  { admit: (request, _reply, gateway) => gateway.importLimiter.take(`import ${clientOf(request.ip)}`) },
);
