import { z } from 'zod';
import { email, newOrgName } from '../agent/fields.ts';
import { exampleIds, exampleOwnerTrustObject, exampleProfile } from '../agent/examples.ts';
import { ownerAgentProfile, ownerTrustObject } from '../agent/wire-output.ts';
import { errorBody } from '../errors.ts';
import { optionalQueryInteger, pageHeaders, pageQuery, queryOffset } from '../http/query-integer.ts';
import { commandErrors, answer, route, type Route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { agentId } from '../text.ts';
import { organisationScope } from '../organisation-key/scope.ts';
import { onWire } from '../wire-form.ts';
import { orgPayment, orgPaymentTotal } from './rpc.ts';

const orgNameText = z.string().describe('Name of the organisation.');
const createdAt = z.string().describe('When it was created, RFC 3339 in UTC.');

/** As long as real keys. */
const exampleOrgKey = `registry-org-sk-${'EXAMPLE'.repeat(6)}A`;
const exampleSandboxKey = `registry-org-sandbox-sk-${'EXAMPLE'.repeat(6)}A`;

const orgKey = z
  .object({
    org_name: orgNameText,
    api_key: z.string().describe('The production key.'),
    created_at: createdAt,
  })
  .meta({ id: 'OrgKey', description: 'A new production key, shown once.' });

const exampleCreatedAt = '2026-01-15T09:30:00.000Z';
const exampleReplaced = { org_name: 'Globex', api_key: exampleOrgKey, created_at: exampleCreatedAt };
const exampleIssued = { org_name: 'Globex', sandbox_api_key: exampleSandboxKey, created_at: exampleCreatedAt };

/** If it is unknown whether a key was made, or readers may not see it yet, its owner still gets it: it is shown only this once. */
export const orgKeyIssuedAnyway = errorBody
  .extend(orgKey.partial().shape)
  .extend({ sandbox_api_key: z.string().optional().describe('The new sandbox key.') })
  .meta({ id: 'OrgKeyIssuedAnyway', description: 'A refusal after which the new key may be valid.' });

export const createKeyRoute = route({
  method: 'POST',
  path: '/org/create-key',
  operationId: 'createOrganisation',
  summary: 'Create an organisation with its two API keys',
  description:
    'For operators alone: a proxy adds X-Admin-Key, and requests from browsers are refused. After a 503 with keys in its body the ' +
    'organisation may exist: keep them.',
  tag: 'Organisations',
  credentials: ['admin_key', 'operator'],
  operatorRole: 'admin',
  secret: true,
  body: z
    .object({
      org_name: newOrgName.describe(
        'Its unique name; case makes no difference. No control characters, and no zero-width or bidirectional ones.',
      ),
      contact_email: email.describe('Where the operator can reach it.'),
    })
    .meta({ id: 'OrgCreateRequest', description: 'The organisation to create.' }),
  bodyExamples: {
    organisation: { summary: 'Globex', value: { org_name: 'Globex', contact_email: 'agents@globex.example' } },
  },
  answers: {
    201: answer(
      'Both keys, shown once.',
      z
        .object({
          api_key: z.string().describe('The production key.'),
          sandbox_api_key: z.string().describe('The sandbox key.'),
          org_name: orgNameText,
          created_at: createdAt,
        })
        .meta({ id: 'OrgCreateResponse', description: 'The organisation and its two keys, which are shown once.' }),
      { ...exampleReplaced, ...exampleIssued },
    ),
  },
  errorBodies: { 503: orgKeyIssuedAnyway },
  errorExamples: { read_model_behind: { api_key: exampleOrgKey, sandbox_api_key: exampleSandboxKey } },
  errors: ['org_name_taken', ...commandErrors],
});

export const whoamiRoute = route({
  method: 'GET',
  path: '/org/whoami',
  countsAs: null,
  operationId: 'whoami',
  summary: 'Which organisation and universe a key belongs to',
  description: 'The first request to make with a new key.',
  tag: 'Organisations',
  credentials: ['organisation'],
  organisationScope: 'any',
  answers: {
    200: answer(
      'The organisation.',
      z
        .object({
          org_name: orgNameText,
          is_sandbox: z.boolean().describe('Whether it opens the sandbox.'),
          named_key: z
            .object({
              key_id: z.string().describe('Identifies the key.'),
              name: z.string().describe('What the organisation calls it.'),
              scopes: z.array(organisationScope).describe('What it may do.'),
              expires_at: z.string().describe('Until when this secret of it works, RFC 3339 in UTC.'),
            })
            .optional()
            .describe("Which named key it is; absent for the organisation's own two."),
        })
        .meta({ id: 'OrgWhoami', description: 'The organisation of a key, and which of its keys it is.' }),
      { org_name: 'Globex', is_sandbox: false },
    ),
  },
});

export const listOrgAgentsRoute = route({
  method: 'GET',
  path: '/org/agents',
  operationId: 'listOrgAgents',
  summary: "An organisation's own agents, routable or not, with their endpoints",
  description:
    "The production key lists the organisation's production agents, its sandbox key those of its sandbox, by agent_id: all of them, unless " +
    'limit requests a page. Only a few lists of an organisation are sent at a time, others wait for their turn; one that is not read within five minutes is cut ' +
    'off: over a slow line use pages. An incomplete answer ends with a broken connection, never as a shorter list.',
  tag: 'Organisations',
  credentials: ['organisation'],
  organisationScope: 'read',
  query: z.object({
    limit: optionalQueryInteger(1, limits.orgAgentsPageMax, 'Default: all agents.'),
    offset: queryOffset(limits.orgListOffsetMax),
  }),
  answers: {
    200: answer('The agents.', z.array(ownerTrustObject), [exampleOwnerTrustObject], { headers: pageHeaders }),
  },
});

export const getOrgAgentRoute = route({
  method: 'GET',
  path: '/org/agents/{agent_id}',
  operationId: 'getOrgAgent',
  summary: "The owner's profile of an agent, with its endpoint",
  description: 'An agent of another organisation or of the other universe is not found.',
  tag: 'Organisations',
  credentials: ['organisation'],
  organisationScope: 'read',
  params: z.object({ agent_id: agentId }),
  answers: { 200: answer('The owner profile.', ownerAgentProfile, { ...exampleProfile, ...exampleOwnerTrustObject }) },
  errors: ['agent_not_found'],
});

export const orgPaymentWire = onWire(orgPayment).meta({
  id: 'OrgPayment',
  description: 'A payment that an agent received through the registry.',
});

export const exampleOrgPayment: z.infer<typeof orgPaymentWire> = {
  transaction_id: '0199c2f5-11aa-7b60-8d42-9f3a1c2b4d5e',
  receiver_agent_id: exampleIds.translator,
  caller_agent_id: exampleIds.buyer,
  amount: 0.05,
  amount_atomic: '50000',
  currency: 'USDC',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  settlement_rail: 'x402',
  network: 'base',
  payee_address: '0x1111111111111111111111111111111111111111',
  confirmation_ref: '0x2222222222222222222222222222222222222222222222222222222222222222',
  block_number: 25114703,
  settled_at: '2026-01-15T09:30:02.000Z',
};

const orgPaymentTotalWire = onWire(orgPaymentTotal).meta({
  id: 'OrgPaymentTotal',
  description: 'What was received in one currency.',
});

export const listOrgPaymentsRoute = route({
  method: 'GET',
  path: '/org/payments',
  operationId: 'listOrgPayments',
  summary: "Settlements that an organisation's agents received through the registry, newest first",
  description: 'The key picks the universe. Direct wallet transfers are not tracked.',
  tag: 'Organisations',
  credentials: ['organisation'],
  organisationScope: 'payments',
  query: z.object(
    pageQuery('Payments', limits.orgPaymentsPageMax, limits.orgPaymentsPageDefault, limits.orgListOffsetMax),
  ),
  answers: {
    200: answer('One page of payments.', z.array(orgPaymentWire), [exampleOrgPayment], { headers: pageHeaders }),
  },
});

export const orgPaymentTotalsRoute = route({
  method: 'GET',
  path: '/org/payments/totals',
  operationId: 'getOrgPaymentTotals',
  summary: "What an organisation's agents received through the registry, summed by network and asset",
  description:
    `All payments of GET /org/payments, those with the most payments first, at most ${limits.orgPaymentTotalsMax}. Amounts are what agents reported. ` +
    'The key picks the universe.',
  tag: 'Organisations',
  credentials: ['organisation'],
  organisationScope: 'payments',
  answers: {
    200: answer('The totals.', z.array(orgPaymentTotalWire), [
      {
        network: exampleOrgPayment.network,
        asset: exampleOrgPayment.asset,
        currency: exampleOrgPayment.currency,
        payment_count: 12,
        amount: 0.6,
        amount_atomic: '600000',
        last_settled_at: exampleOrgPayment.settled_at,
      },
    ]),
  },
});

export const issueSandboxKeyRoute = route({
  method: 'POST',
  path: '/org/sandbox-key',
  operationId: 'issueSandboxKey',
  summary: 'Issue a sandbox key, by the production key',
  description:
    'Only if the organisation has none: revoke the present one first. After a 503 with sandbox_api_key in its body the key may be valid: keep it.',
  tag: 'Organisations',
  secret: true,
  credentials: ['production_key'],
  organisationScope: 'none',
  answers: {
    201: answer(
      'The sandbox key, shown once.',
      z
        .object({
          org_name: orgNameText,
          sandbox_api_key: z.string().describe('The sandbox key.'),
          created_at: createdAt,
        })
        .meta({ id: 'OrgSandboxKey', description: 'A new sandbox key, shown once.' }),
      exampleIssued,
    ),
  },
  errorBodies: { 503: orgKeyIssuedAnyway },
  errorExamples: { read_model_behind: exampleIssued },
  errors: ['sandbox_key_exists', ...commandErrors],
});

export const revokeSandboxKeyRoute = route({
  method: 'DELETE',
  path: '/org/sandbox-key',
  operationId: 'revokeSandboxKey',
  summary: 'Revoke the sandbox key, by the production key',
  description: 'The sandbox key fails from now on. The sandbox and its agents stay, for the next key.',
  tag: 'Organisations',
  credentials: ['production_key'],
  organisationScope: 'none',
  answers: {
    200: answer(
      'The sandbox key is revoked.',
      z
        .object({
          org_name: orgNameText,
          revoked_at: z.string().describe('When it was revoked, RFC 3339 in UTC.'),
        })
        .meta({ id: 'OrgSandboxKeyRevoked', description: 'The organisation whose sandbox key was revoked.' }),
      { org_name: 'Globex', revoked_at: '2026-01-15T09:30:00.000Z' },
    ),
  },
  errors: ['sandbox_key_absent', ...commandErrors],
});

export const replaceOrgKeyRoute = route({
  method: 'POST',
  path: '/org/rotate-key',
  operationId: 'replaceOrgKey',
  summary: 'Replace the production key that the request is made with',
  secret: true,
  description:
    'The former key fails from now on; claim links requested with it stay valid until they expire. ' +
    'After a 503 with api_key in its body the new key may be valid: keep both until one of them works.',
  tag: 'Organisations',
  credentials: ['production_key'],
  organisationScope: 'none',
  answers: { 200: answer('The new production key, shown once.', orgKey, exampleReplaced) },
  errorBodies: { 503: orgKeyIssuedAnyway },
  errorExamples: { read_model_behind: exampleReplaced },
  errors: [...commandErrors],
});

/** The routes of an organisation, in the order of the OpenAPI document. */
export const organisationRoutes: readonly Route[] = [
  createKeyRoute,
  whoamiRoute,
  listOrgAgentsRoute,
  getOrgAgentRoute,
  listOrgPaymentsRoute,
  orgPaymentTotalsRoute,
  issueSandboxKeyRoute,
  revokeSandboxKeyRoute,
  replaceOrgKeyRoute,
];
