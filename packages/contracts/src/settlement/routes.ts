import { z } from 'zod';
import { orgName } from '../agent/fields.ts';
import { pageHeaders, queryInteger } from '../http/query-integer.ts';
import { route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { agentId, text } from '../text.ts';
import { settlementWire } from './wire-output.ts';

const payRoute = <Method extends 'GET' | 'POST'>(method: Method, operationId: string) =>
  route({
    method,
    path: '/pay/{agent_id}',
    operationId,
    summary: "Relay a payment-carrying request to an agent's endpoint (x402)",
    description:
      "Method, body of any type and query (but for its own parameters) go to the agent's endpoint; status, body and headers of the answer come " +
      'back. A 402 names this address in place of the endpoint, in body and headers. A payment that the agent says it has settled is recorded ' +
      'once. No funds pass through the registry.',
    tag: 'Settlement',
    credentials: ['none', 'agent'],
    params: z.object({ agent_id: agentId }),
    query: z.object({
      caller_agent_id: text(limits.freeTextCharsMax)
        .optional()
        .meta({ description: 'Who pays; counts only together with the key of that agent.' }),
      call_ref: text(limits.freeTextCharsMax).optional().meta({
        description: 'The transaction_id of a call to this agent; its caller is then the payer. Any other is ignored.',
      }),
    }),
    withoutHead: true,
    bodyBytesMax: limits.callBodyBytesMax,
    headers: {
      'X-PAYMENT': 'An x402 v1 payment, base64 JSON.',
      'PAYMENT-SIGNATURE': 'An x402 v2 payment, base64 JSON.',
    },
    answers: {
      200: {
        description: "The agent's answer, with its own status, which may be any.",
        body: z.unknown(),
        streamedAs: '*/*',
        headers: {
          'X-Registry-Attribution': 'What a settlement is attributed by: call_ref, bearer or none.',
          'X-PAYMENT-RESPONSE': 'How an x402 v1 payment was settled, base64 JSON.',
          'PAYMENT-RESPONSE': 'How an x402 v2 payment was settled, base64 JSON.',
        },
      },
      402: {
        description: "The agent's payment demand (x402), with this address as the resource to pay for.",
        body: z.unknown(),
        streamedAs: '*/*',
        headers: { 'PAYMENT-REQUIRED': 'The demand of x402 v2, base64 JSON.' },
      },
    },
    errors: [
      'validation_failed',
      'invalid_credential',
      'caller_mismatch',
      'agent_not_found',
      'no_endpoint',
      'payload_too_large',
      'downstream_failed',
      'too_many_calls',
      'target_unavailable',
      'target_busy',
    ],
  });

export const payByGetRoute = payRoute('GET', 'payByGet');
export const payByPostRoute = payRoute('POST', 'payByPost');

export const listSettlementsRoute = route({
  method: 'GET',
  path: '/ops/settlements',
  operationId: 'listSettlements',
  summary: 'All settlements made through the registry, newest first, for its operators',
  tag: 'Settlement',
  credentials: ['admin_token'],
  query: z.object({
    limit: queryInteger(1, limits.orgPaymentsPageMax, limits.orgPaymentsPageDefault),
    offset: queryInteger(0, limits.orgListOffsetMax, 0),
    org_name: orgName.optional().meta({ description: "One organisation's, exact but for case." }),
  }),
  answers: { 200: { description: 'One page of settlements.', body: z.array(settlementWire), headers: pageHeaders } },
  errors: ['validation_failed', 'credential_required', 'invalid_credential'],
});
