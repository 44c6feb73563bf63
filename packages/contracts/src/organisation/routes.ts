import { z } from 'zod';
import { email, orgName } from '../agent/fields.ts';
import { ownerTrustObject } from '../agent/wire-output.ts';
import { optionalQueryInteger, pageHeaders, queryInteger } from '../http/query-integer.ts';
import { route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { agentId } from '../text.ts';
import { orgPaymentWire, ownerAgentProfile } from './wire-output.ts';

export const createKeyRoute = route({
  method: 'POST',
  path: '/org/create-key',
  operationId: 'createOrganisation',
  summary: 'Create an organisation with its two API keys',
  tag: 'Organisations',
  credentials: ['admin_key'],
  secret: true,
  body: z.object({ org_name: orgName, contact_email: email }).meta({ id: 'OrgCreateRequest' }),
  answers: {
    201: {
      description: 'Both keys, shown once.',
      body: z
        .object({ api_key: z.string(), sandbox_api_key: z.string(), org_name: z.string(), created_at: z.string() })
        .meta({ id: 'OrgCreateResponse' }),
    },
  },
  errors: [
    'validation_failed',
    'invalid_admin_key',
    'browser_request_refused',
    'org_name_taken',
    'write_conflict',
    'read_model_behind',
  ],
});

export const whoamiRoute = route({
  method: 'GET',
  path: '/org/whoami',
  operationId: 'whoami',
  summary: 'Which organisation and universe a key belongs to',
  tag: 'Organisations',
  credentials: ['organisation'],
  answers: {
    200: {
      description: 'The organisation.',
      body: z.object({ org_name: z.string(), is_sandbox: z.boolean() }).meta({ id: 'OrgWhoami' }),
    },
  },
  errors: ['credential_required', 'invalid_api_key'],
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
    offset: queryInteger(0, limits.orgListOffsetMax, 0),
  }),
  answers: {
    200: { description: 'The agents.', body: z.array(ownerTrustObject), headers: pageHeaders },
  },
  errors: ['validation_failed', 'credential_required', 'invalid_api_key'],
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
  answers: { 200: { description: 'The owner profile.', body: ownerAgentProfile } },
  errors: ['validation_failed', 'credential_required', 'invalid_api_key', 'agent_not_found'],
});

export const listOrgPaymentsRoute = route({
  method: 'GET',
  path: '/org/payments',
  operationId: 'listOrgPayments',
  summary: "Settlements that an organisation's agents received through the registry, newest first",
  description: 'The key picks the universe. Direct wallet transfers are not tracked.',
  tag: 'Organisations',
  credentials: ['organisation'],
  query: z.object({
    limit: queryInteger(1, limits.orgPaymentsPageMax, limits.orgPaymentsPageDefault),
    offset: queryInteger(0, limits.orgListOffsetMax, 0),
  }),
  answers: { 200: { description: 'One page of payments.', body: z.array(orgPaymentWire), headers: pageHeaders } },
  errors: ['validation_failed', 'credential_required', 'invalid_api_key'],
});

export const issueSandboxKeyRoute = route({
  method: 'POST',
  path: '/org/sandbox-key',
  operationId: 'issueSandboxKey',
  summary: 'Issue a sandbox key, by the production key',
  tag: 'Organisations',
  secret: true,
  credentials: ['organisation'],
  answers: {
    201: {
      description: 'The sandbox key, shown once.',
      body: z
        .object({ org_name: z.string(), sandbox_api_key: z.string(), created_at: z.string() })
        .meta({ id: 'OrgSandboxKey' }),
    },
  },
  errors: ['credential_required', 'invalid_api_key', 'sandbox_key_exists', 'write_conflict', 'read_model_behind'],
});

export const revokeSandboxKeyRoute = route({
  method: 'DELETE',
  path: '/org/sandbox-key',
  operationId: 'revokeSandboxKey',
  summary: 'Revoke the sandbox key, by the production key',
  description: 'From this moment the sandbox key fails. The sandbox and its agents stay, for the next key.',
  tag: 'Organisations',
  credentials: ['organisation'],
  answers: {
    200: {
      description: 'The sandbox key is revoked.',
      body: z.object({ org_name: z.string(), revoked_at: z.string() }).meta({ id: 'OrgSandboxKeyRevoked' }),
    },
  },
  errors: ['credential_required', 'invalid_api_key', 'sandbox_key_absent', 'write_conflict', 'read_model_behind'],
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
  credentials: ['organisation'],
  answers: {
    200: {
      description: 'The new production key, shown once.',
      body: z.object({ org_name: z.string(), api_key: z.string(), created_at: z.string() }).meta({ id: 'OrgKey' }),
    },
  },
  errors: ['credential_required', 'invalid_api_key', 'write_conflict', 'read_model_behind'],
});
