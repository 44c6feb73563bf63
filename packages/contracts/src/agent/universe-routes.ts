import { z } from 'zod';
import { route } from '../http/route.ts';
import { agentId } from '../text.ts';
import type { ConfigurationField } from './configuration.ts';

/** Moves between the sandbox and production. */

const moveAgentRequest = z.object({ agent_id: agentId }).meta({ id: 'MoveAgentRequest' });

const moveAgentResponse = z
  .object({
    agent_id: z.string(),
    moved_to: z.enum(['production', 'sandbox']),
    discoverable: z.boolean().meta({ description: 'Whether /match and /registry show the agent to everybody now.' }),
    trust_score: z.int(),
    transaction_count: z.int(),
    moved_at: z.string(),
  })
  .meta({ id: 'MoveAgentResponse' });
export type MoveAgentResponse = z.infer<typeof moveAgentResponse>;

export const publishRoute = route({
  method: 'POST',
  path: '/sandbox/publish',
  operationId: 'publishAgent',
  summary: 'Move a sandbox agent into production',
  description: 'The agent keeps its id, its keys and what it has earned. A clone is not moved: promote it.',
  tag: 'Sandbox',
  credentials: ['organisation'],
  body: moveAgentRequest,
  answers: { 200: { description: 'The agent is in production.', body: moveAgentResponse } },
  errors: [
    'validation_failed',
    'credential_required',
    'invalid_api_key',
    'sandbox_key_required',
    'agent_not_found',
    'clone_paired',
    'already_in_universe',
    'write_conflict',
    'read_model_behind',
  ],
});

export const withdrawRoute = route({
  ...publishRoute,
  path: '/sandbox/withdraw',
  operationId: 'withdrawAgent',
  summary: "Move a live agent into its organisation's sandbox",
  description:
    'The agent keeps its id, its keys and what it has earned, and is seen by its organisation alone. Neither side of a pair of a live agent and its clone is moved.',
  answers: { 200: { description: 'The agent is in the sandbox.', body: moveAgentResponse } },
});

const promoteRequest = z
  .object({
    sandbox_agent_id: agentId.nullable().optional(),
    agent_id: agentId.nullable().optional().meta({ description: 'Another name of sandbox_agent_id.' }),
    real_agent_id: agentId
      .nullable()
      .optional()
      .meta({ description: 'Default: the live agent that the sandbox agent is paired with.' }),
  })
  .refine((body) => body.sandbox_agent_id != null || body.agent_id != null, {
    path: ['sandbox_agent_id'],
    message: 'is required',
  })
  .refine((body) => body.sandbox_agent_id == null || body.agent_id == null || body.sandbox_agent_id === body.agent_id, {
    path: ['agent_id'],
    message: 'must be the same as sandbox_agent_id, when both are sent',
  })
  .meta({ id: 'PromoteRequest' })
  .transform((body) => ({
    sandboxAgentId: body.sandbox_agent_id ?? body.agent_id ?? '',
    liveAgentId: body.real_agent_id ?? null,
  }));

export const promoteRoute = route({
  method: 'POST',
  path: '/sandbox/promote',
  operationId: 'promoteAgent',
  summary: 'Copy the configuration of a sandbox clone to its live agent',
  description:
    'Every configuration field is copied, also those that are null; org_domain where the clone has one. Never the identity, contact and keys of the live agent, and nothing that it has earned.',
  tag: 'Sandbox',
  credentials: ['organisation'],
  body: promoteRequest,
  answers: {
    200: {
      description: 'The live agent has the configuration of its clone.',
      body: z
        .object({
          sandbox_agent_id: z.string(),
          real_agent_id: z.string(),
          fields_copied: z.array(z.string()),
          promoted_at: z.string(),
        })
        .meta({ id: 'PromoteResponse' }),
    },
  },
  errors: [
    'validation_failed',
    'credential_required',
    'invalid_api_key',
    'sandbox_key_required',
    'agent_not_found',
    'wrong_universe',
    'not_a_confirmed_pair',
    'capability_weights_exceeded',
    'price_schedule_incomplete',
    'org_domain_taken',
    'write_conflict',
    'read_model_behind',
  ],
});

const nameOnWire: Record<ConfigurationField | 'orgDomain', string> = {
  capabilities: 'capabilities',
  endpointUrl: 'endpoint_url',
  protocol: 'protocol',
  acceptedTermsFormat: 'accepted_terms_format',
  settlementRail: 'settlement_rail',
  httpMethods: 'http_methods',
  specialty: 'specialty',
  priceSchedule: 'price_schedule',
  paymentNetwork: 'payment_network',
  paymentPayTo: 'payment_pay_to',
  paymentAsset: 'payment_asset',
  messageProtocol: 'message_protocol',
  a2aCompliant: 'a2a_compliant',
  acceptedContentTypes: 'accepted_content_types',
  payloadSchema: 'payload_schema',
  signupHelp: 'signup_help',
  authHeaderName: 'auth_header_name',
  orgDomain: 'org_domain',
};

/** Fields that a promotion copied, by their names on the wire. */
export const fieldsCopiedToWire = (fields: readonly (keyof typeof nameOnWire)[]): string[] =>
  fields.map((field) => nameOnWire[field]);
