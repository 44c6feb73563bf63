import { z } from 'zod';
import { email, orgName } from '../agent/fields.ts';
import { exampleIds, exampleOwnerTrustObject, exampleProfile } from '../agent/examples.ts';
import { ownerAgentProfile, ownerTrustObject } from '../agent/wire-output.ts';
import { errorBody } from '../errors.ts';
import { optionalQueryInteger, pageHeaders, pageQuery, queryOffset } from '../http/query-integer.ts';
import { commandErrors, answer, route, type Route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { agentId } from '../text.ts';
import { onWire } from '../wire-form.ts';
import { orgPayment } from './rpc.ts';

const orgNameText = z.string().describe('Name of the organisation.');
const createdAt = z.string().describe('When it was made, RFC 3339 in UTC.');

/** As long as real ones, and none. */
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

/** Where nobody knows whether a key was made, or readers may not see it yet, its owner gets it all the same: it is shown this once. */
const orgKeyIssuedAnyway = errorBody
  .extend(orgKey.partial().shape)
  .extend({ sandbox_api_key: z.string().optional().describe('The new sandbox key, likewise.') })
  .meta({ id: 'OrgKeyIssuedAnyway', description: 'A refusal after which the new key stands, or may.' });

export const createKeyRoute = route({
  method: 'POST',
  path: '/org/create-key',
  operationId: 'createOrganisation',
  summary: 'Create an organisation with its two API keys',
  description:
    'For the operator alone: a proxy adds X-Admin-Key, and requests of browsers are refused. A 503 with keys in its body brings those of an ' +
    'organisation that was created, or may have been: keep them.',
  tag: 'Organisations',
  credentials: ['admin_key'],
  secret: true,
  body: z
    .object({
      org_name: orgName.describe('Its name, which no other organisation has; case makes no difference.'),
      contact_email: email.describe('Where the operator reaches it.'),
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
  operationId: 'whoami',
  summary: 'Which organisation and universe a key belongs to',
  description: 'The first thing to ask with a new key.',
  tag: 'Organisations',
  credentials: ['organisation'],
  answers: {
    200: answer(
      'The organisation.',
      z
        .object({
          org_name: orgNameText,
          is_sandbox: z.boolean().describe('Whether it is the sandbox key.'),
        })
        .meta({ id: 'OrgWhoami', description: 'Whose key it is, and which of the two.' }),
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
    "The production key lists the organisation's production agents, its sandbox key those of its sandbox, by agent_id. All of them are " +
    'answered unless limit asks for a page. A few lists of an organisation are answered at a time, and one that is not read within five ' +
    'minutes is cut off: over a slow line ask for pages. An answer that breaks off ends with a broken connection, never as a shorter list.',
  tag: 'Organisations',
  credentials: ['organisation'],
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
  description: 'An agent of another organisation or of the other universe is answered as one that does not exist.',
  tag: 'Organisations',
  credentials: ['organisation'],
  params: z.object({ agent_id: agentId }),
  answers: {
    200: answer('The owner profile.', ownerAgentProfile, { ...exampleProfile, ...exampleOwnerTrustObject }),
  },
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

export const listOrgPaymentsRoute = route({
  method: 'GET',
  path: '/org/payments',
  operationId: 'listOrgPayments',
  summary: "Settlements that an organisation's agents received through the registry, newest first",
  description: 'The key picks the universe. Direct wallet transfers are not tracked.',
  tag: 'Organisations',
  credentials: ['organisation'],
  query: z.object(
    pageQuery('Payments', limits.orgPaymentsPageMax, limits.orgPaymentsPageDefault, limits.orgListOffsetMax),
  ),
  answers: {
    200: answer('One page of payments.', z.array(orgPaymentWire), [exampleOrgPayment], { headers: pageHeaders }),
  },
});

export const issueSandboxKeyRoute = route({
  method: 'POST',
  path: '/org/sandbox-key',
  operationId: 'issueSandboxKey',
  summary: 'Issue a sandbox key, by the production key',
  description:
    'Where the organisation has none: revoke the one that it has before. After a 503 with sandbox_api_key in its body the key stands, or may: keep it.',
  tag: 'Organisations',
  secret: true,
  credentials: ['production_key'],
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
  description: 'From this moment the sandbox key fails. The sandbox and its agents stay, for the next key.',
  tag: 'Organisations',
  credentials: ['production_key'],
  answers: {
    200: answer(
      'The sandbox key is revoked.',
      z
        .object({
          org_name: orgNameText,
          revoked_at: z.string().describe('From when it fails, RFC 3339 in UTC.'),
        })
        .meta({ id: 'OrgSandboxKeyRevoked', description: 'Whose sandbox key fails from now on.' }),
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
    'From this moment the former key fails; claim links that were asked for with it stay good until they expire. ' +
    'After a 503 with api_key in its body the new key stands, or may: keep both until one of them works.',
  tag: 'Organisations',
  credentials: ['production_key'],
  answers: {
    200: answer('The new production key, shown once.', orgKey, exampleReplaced),
  },
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
  issueSandboxKeyRoute,
  revokeSandboxKeyRoute,
  replaceOrgKeyRoute,
];
