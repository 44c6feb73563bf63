import {
  DomainError,
  getOrgDomain,
  listOrgDomains,
  listOrgDomainsRoute,
  orgDomainView,
  proveDomain,
  requestDomainProof,
  requestDomainRoute,
  toWire,
  verifyDomainRoute,
  vouchForDomain as vouch,
  vouchForDomainRoute,
  withdrawDomainProof as withdraw,
  withdrawDomainProofRoute,
} from '@agent-trust/contracts';
import type { Received } from '@agent-trust/nats-rpc';
import type { FastifyRequest } from 'fastify';
import { ask, command } from '../../bus/ask.ts';
import { askAfter, write } from '../../bus/read-your-writes.ts';
import { pageUrl, recordName, registrableDomain } from '../../domain-proof/places.ts';
import { hashOfLine, tokenLine } from '../../domain-proof/token.ts';
import type { Gateway } from '../../gateway.ts';
import { clientGone } from '../../http/client-gone.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { setPageHeaders } from '../../http/public-document.ts';

const requestDomain = endpoint(requestDomainRoute, async ({ body, caller, actor, request }, gateway) => {
  const { orgId } = caller.organisation;
  const { domain } = body;
  registrableDomain(domain, ['body', 'domain']);
  await gateway.domainProofLimiter.take(`domain proofs ${orgId}`);
  const token = tokenLine(gateway.settings.REGISTRY_SECRET, orgId, domain);
  const input = { orgId, domain, tokenHash: hashOfLine(token), actor };
  const { position } = await command(gateway, request, requestDomainProof, input);
  return {
    ...(await viewAfter(gateway, request, position, { orgId, domain })),
    token,
    dns_record: { name: recordName(domain), type: 'TXT', value: token },
    page: { url: pageUrl(domain, gateway.settings.DOMAIN_PROOF_PORT), line: token },
  };
});

const verifyDomain = endpoint(verifyDomainRoute, async ({ params, caller, actor, request, reply }, gateway) => {
  const { orgId } = caller.organisation;
  const { domain } = params;
  registrableDomain(domain, ['path', 'domain']);
  await gateway.domainProofLimiter.take(`domain proofs ${orgId}`);
  const release = await gateway.domainProofs.enter(orgId, clientGone(reply));
  try {
    const { tokenHash, provedBy } = await ask(gateway, request, getOrgDomain, { orgId, domain });
    const own = provedBy?.orgId === orgId ? provedBy.tokenHashes : [];
    const tokenHashes = [...new Set([...(tokenHash === null ? [] : [tokenHash]), ...own])];
    if (tokenHashes.length === 0) {
      throw new DomainError('domain_not_requested', `the organisation has not asked for a token for ${domain}`);
    }
    const { found, detail } = await gateway.findToken(domain, tokenHashes);
    if (found === null) {
      throw new DomainError('domain_proof_not_found', `the token for ${domain} was found nowhere (${detail})`);
    }
    const outdated =
      provedBy === null || provedBy.orgId === orgId ? null : await outdatedToken(gateway, domain, provedBy);
    const { position } = await command(gateway, request, proveDomain, { orgId, domain, found, outdated, actor });
    return await viewAfter(gateway, request, position, { orgId, domain });
  } finally {
    release();
  }
});

type ProvedBy = NonNullable<Received<(typeof getOrgDomain)['output']>['provedBy']>;

/**
 * The token of another organisation's proof if it is gone, or null: it stands as long as the token is found, and while nothing is known of
 * the place where it was found last, unless the proof has lapsed already.
 */
const outdatedToken = async (gateway: Gateway, domain: string, provedBy: ProvedBy): Promise<string | null> => {
  const { method, isLapsed, tokenHashes } = provedBy;
  const [tokenHash] = tokenHashes;
  if (tokenHash === undefined || method === 'operator') return null;
  const { found, goneFrom } = await gateway.findToken(domain, tokenHashes);
  return found === null && (isLapsed || goneFrom.includes(method)) ? tokenHash : null;
};

const viewAfter = async (
  gateway: Gateway,
  request: FastifyRequest,
  position: string,
  of: { orgId: string; domain: string },
) => {
  const { view } = await askAfter(gateway, request, position, getOrgDomain, of);
  if (view === null)
    throw new DomainError('unavailable', 'the domain was written, and cannot be read now: read it again');
  return toWire(orgDomainView, view);
};

const orgDomains = endpoint(listOrgDomainsRoute, async ({ query, caller, request, reply }, gateway) => {
  const { orgId } = caller.organisation;
  const page = await ask(gateway, request, listOrgDomains, { orgId, ...query });
  setPageHeaders(reply, `${gateway.baseUrl}/org/domains`, query, page.total);
  return page.domains.map((view) => toWire(orgDomainView, view));
});

const vouchForDomain = endpoint(vouchForDomainRoute, async ({ params, body, actor, request }, gateway) => {
  const { domain } = params;
  registrableDomain(domain, ['path', 'domain']);
  const input = { domain, orgName: body.org_name, reason: body.reason, actor };
  const { orgId, position } = await command(gateway, request, vouch, input);
  return viewAfter(gateway, request, position, { orgId, domain });
});

const withdrawDomainProof = endpoint(withdrawDomainProofRoute, ({ params, body, actor, request }, gateway) => {
  const { domain } = params;
  return write(gateway, request, withdraw, { domain, reason: body.reason, actor }, ({ endedAt }) => ({
    domain,
    ended_at: endedAt,
  }));
});

export const orgDomainEndpoints: readonly Endpoint[] = [
  requestDomain,
  verifyDomain,
  orgDomains,
  vouchForDomain,
  withdrawDomainProof,
];
