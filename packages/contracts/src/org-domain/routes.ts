import { z } from 'zod';
import { orgDomain, orgName } from '../agent/fields.ts';
import { pageHeaders, pageQuery } from '../http/query-integer.ts';
import { answer, commandErrors, route, type Route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { operatorReason, operatorRoute } from '../operator/operator-route.ts';
import { moment } from '../text.ts';
import { onWire } from '../wire-form.ts';
import { orgDomainView } from './rpc.ts';

export const orgDomainWire = onWire(orgDomainView).meta({
  id: 'OrgDomain',
  description: 'A domain of an organisation, and how far it is proved.',
});

const exampleView: z.infer<typeof orgDomainWire> = {
  domain: 'globex.example',
  status: 'proved',
  method: 'dns',
  requested_at: '2026-01-15T09:30:00.000Z',
  proved_at: '2026-01-15T09:40:00.000Z',
  checked_at: '2026-01-15T09:40:00.000Z',
  lapsed_at: null,
  ends_at: null,
  next_check_at: '2026-02-14T09:40:00.000Z',
};

const domain = orgDomain.describe('The domain.').meta({ examples: ['globex.example'] });
const perMinute = `At most ${limits.domainProofsPerMinute} requests a minute for an organisation.`;

const token = z
  .string()
  .describe('The line to publish. It proves the domain for this organisation alone, and is no secret.');

export const requestedDomainWire = orgDomainWire
  .extend({
    token,
    dns_record: z
      .object({
        name: z.string().describe('Name of the record.'),
        type: z.literal('TXT').describe('Its type.'),
        value: z.string().describe('Its value: the token.'),
      })
      .describe('The record that proves the domain.'),
    page: z
      .object({
        url: z.string().describe('Address of the page, which answers 200 without a redirect.'),
        line: z.string().describe('A line of it: the token.'),
      })
      .describe('The page that proves the domain.'),
  })
  .meta({ id: 'RequestedDomain', description: 'What to publish to prove a domain: the record or the page.' });

const exampleToken = `agent-trust-registry=${'EXAMPLE'.repeat(6)}A`;

export const requestDomainRoute = route({
  method: 'POST',
  path: '/org/domains',
  operationId: 'requestDomainProof',
  summary: 'Ask what to publish to prove a domain',
  description:
    'Answers the token, and the two places of which one is enough; either may also be at the registrable domain above. Repeated, it answers ' +
    `the same token. ${perMinute}`,
  tag: 'Organisations',
  credentials: ['production_key'],
  organisationScope: 'register',
  body: z.strictObject({ domain }).meta({ id: 'DomainRequest', description: 'The domain to prove.' }),
  bodyExamples: { domain: { summary: 'A domain', value: { domain: 'globex.example' } } },
  answers: {
    200: answer('The token and its places.', requestedDomainWire, {
      ...exampleView,
      status: 'requested',
      method: null,
      proved_at: null,
      checked_at: null,
      next_check_at: null,
      token: exampleToken,
      dns_record: { name: '_agent-trust-registry.globex.example', type: 'TXT', value: exampleToken },
      page: { url: 'https://globex.example/.well-known/agent-trust-registry.txt', line: exampleToken },
    }),
  },
  errors: ['invalid_domain', 'rate_limited', ...commandErrors],
});

export const verifyDomainRoute = route({
  method: 'POST',
  path: '/org/domains/{domain}/verify',
  operationId: 'verifyDomain',
  summary: 'Prove a domain: have its token looked for now',
  description:
    'The token is looked for in both places. From then on the domain is for agents of the organisation alone: agents of others that have it ' +
    'as org_domain lose it, and nothing else. A proof of another organisation stands while its own token is there. The token is looked for ' +
    `again every 30 days, so leave it published. ${perMinute}`,
  tag: 'Organisations',
  credentials: ['production_key'],
  organisationScope: 'register',
  params: z.object({ domain }),
  answers: { 200: answer('The domain is proved.', orgDomainWire, exampleView) },
  errors: [
    'invalid_domain',
    'domain_not_requested',
    'domain_proof_not_found',
    'domain_proved_by_other',
    'rate_limited',
    'overloaded',
    ...commandErrors,
  ],
});

export const listOrgDomainsRoute = route({
  method: 'GET',
  path: '/org/domains',
  operationId: 'listOrgDomains',
  summary: "An organisation's domains, and how far they are proved",
  description: 'By name; with either key.',
  tag: 'Organisations',
  credentials: ['organisation'],
  organisationScope: 'read',
  query: z.object(
    pageQuery('Domains', limits.orgDomainsPageMax, limits.orgDomainsPageDefault, limits.orgListOffsetMax),
  ),
  answers: { 200: answer('One page of domains.', z.array(orgDomainWire), [exampleView], { headers: pageHeaders }) },
});

const reason = operatorReason('the log');

export const vouchForDomainRoute = route({
  ...operatorRoute,
  path: '/ops/domains/{domain}/vouch',
  operationId: 'vouchForDomain',
  summary: "Vouch for an organisation's domain",
  description:
    'The domain counts as proved, with all that follows from a proof, and no token is looked for. Another proof has to be withdrawn first.',
  params: z.object({ domain }),
  body: z
    .strictObject({ org_name: orgName.describe('Name of the organisation; case makes no difference.'), reason })
    .meta({ id: 'DomainVoucher', description: 'For whom the operator vouches, and why.' }),
  bodyExamples: { voucher: { summary: 'A voucher', value: { org_name: 'Globex', reason: 'Contract of 2026-01-10' } } },
  answers: {
    200: answer('The domain is proved.', orgDomainWire, {
      ...exampleView,
      method: 'operator',
      requested_at: null,
      next_check_at: null,
    }),
  },
  errors: ['invalid_domain', 'organisation_not_found', 'domain_proved_by_other', ...commandErrors],
});

export const withdrawDomainProofRoute = route({
  ...operatorRoute,
  path: '/ops/domains/{domain}/withdraw',
  operationId: 'withdrawDomainProof',
  summary: 'Withdraw the proof of a domain',
  description:
    'Whoever has proved it, and also if the operator vouches for it. Its agents keep the domain, unproved. An organisation whose token is ' +
    'still published can prove it again at once.',
  params: z.object({ domain }),
  body: z.strictObject({ reason }).meta({ id: 'DomainWithdrawal', description: 'Why the proof counts no longer.' }),
  bodyExamples: { withdrawal: { summary: 'A withdrawal', value: { reason: 'The domain was sold' } } },
  answers: {
    200: answer(
      'The proof is withdrawn.',
      z
        .object({ domain: z.string().describe('The domain.'), ended_at: moment('When the proof ended') })
        .meta({ id: 'DomainProofWithdrawn', description: 'The domain that is proved no longer.' }),
      { domain: 'globex.example', ended_at: '2026-01-15T09:30:00.000Z' },
    ),
  },
  errors: ['domain_not_proved', ...commandErrors],
});

/** Proofs of domains, in the order of the OpenAPI document. */
export const orgDomainRoutes: readonly Route[] = [
  requestDomainRoute,
  verifyDomainRoute,
  listOrgDomainsRoute,
  vouchForDomainRoute,
  withdrawDomainProofRoute,
];
