import { z } from 'zod';
import { exampleBaseUrl, exampleIds } from '../agent/examples.ts';
import { orgName } from '../agent/fields.ts';
import { textHeader, wordHeader } from '../http/headers.ts';
import { pageHeaders, pageQuery } from '../http/query-integer.ts';
import { answer, type Headers, route, type Route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { agentId, text } from '../text.ts';
import { exampleOrgPayment } from '../organisation/routes.ts';
import { onWire } from '../wire-form.ts';
import { settlement } from './rpc.ts';

const settlementWire = onWire(settlement).meta({
  id: 'Settlement',
  description: 'A payment through the registry, as its operators see it.',
});

const exampleSettlement: z.infer<typeof settlementWire> = {
  ...exampleOrgPayment,
  org_name: 'Globex',
  recorded_at: '2026-01-15T09:30:02.100Z',
  call_ref: exampleIds.transaction,
};

/** An x402 v1 demand with the registry's address as the resource. */
const exampleDemand: object = {
  x402Version: 1,
  error: 'X-PAYMENT header is required',
  accepts: [
    {
      scheme: 'exact',
      network: 'base',
      maxAmountRequired: '50000',
      resource: `${exampleBaseUrl}/pay/${exampleIds.translator}?call_ref=${exampleIds.transaction}`,
      description: 'One page',
      mimeType: 'application/json',
      payTo: '0x1111111111111111111111111111111111111111',
      maxTimeoutSeconds: 60,
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    },
  ],
};

const agentsAnswer = z.unknown().describe("The agent's own answer, of any shape.");

const relayedHeaders = {
  'X-Registry-Attribution': wordHeader(
    "Marks the agent's own answer, with the basis of a settlement's attribution: the call of call_ref, the key of the request, or nothing.",
    ['call_ref', 'bearer', 'none'],
  ),
  'Content-Security-Policy': wordHeader("A browser shows an agent's page without any origin.", [
    'sandbox allow-scripts',
  ]),
};

const exampleReceipt = 'eyJzdWNjZXNzIjp0cnVlfQ==';

/** The agent's headers that a payer needs. */
const agentsHeaders = {
  ...relayedHeaders,
  'X-PAYMENT-RESPONSE': textHeader('How an x402 v1 payment was settled, base64 JSON.', exampleReceipt),
  'PAYMENT-RESPONSE': textHeader('How an x402 v2 payment was settled, base64 JSON.', exampleReceipt),
  'PAYMENT-REQUIRED': textHeader('The demand of x402 v2, base64 JSON.', 'eyJ4NDAyVmVyc2lvbiI6Mn0='),
  ...Object.fromEntries(
    [
      ['Accept-Ranges', 'bytes'],
      ['Cache-Control', 'max-age=60'],
      ['Content-Disposition', 'attachment; filename="page.pdf"'],
      ['Content-Encoding', 'gzip'],
      ['Content-Language', 'en'],
      ['Content-Range', 'bytes 0-99/200'],
      ['ETag', '"7"'],
      ['Expires', 'Thu, 01 Jan 2026 00:00:00 GMT'],
      ['Last-Modified', 'Thu, 01 Jan 2026 00:00:00 GMT'],
      ['RateLimit', '"default";r=9;t=60'],
      ['RateLimit-Limit', '10'],
      ['RateLimit-Policy', '"default";q=10;w=60'],
      ['RateLimit-Remaining', '9'],
      ['RateLimit-Reset', '60'],
      ['Retry-After', '5'],
      ['Vary', 'Accept'],
      ['WWW-Authenticate', 'Bearer'],
    ].map(([name = '', example = '']) => [name, textHeader("The agent's own.", example)]),
  ),
} satisfies Headers;

const payRoute = <Method extends 'GET' | 'POST'>(method: Method, operationId: string) =>
  route({
    method,
    path: '/pay/{agent_id}',
    countsAs: 'calls',
    operationId,
    summary: "Relay a payment-carrying request to an agent's endpoint (x402)",
    description:
      "Method, body of any type and query (except its own parameters) go to the agent's endpoint; its status, body and headers come back. " +
      'A 402 names this address instead of the endpoint, in body and headers. A payment that the agent reports as settled is recorded ' +
      'once. No funds pass through the registry.',
    tag: 'Settlement',
    credentials: ['none', 'agent'],
    params: z.object({ agent_id: agentId }),
    query: z.object({
      caller_agent_id: text(limits.freeTextCharsMax)
        .optional()
        .describe('The payer; counts only together with the key of that agent.'),
      call_ref: text(limits.freeTextCharsMax)
        .optional()
        .describe('The transaction_id of a call to this agent, whose caller is the payer. Others are ignored.'),
    }),
    withoutHead: true,
    bodyBytesMax: limits.callBodyBytesMax,
    ...(method === 'POST' ? { anyBody: "A body of any type, or none; it goes to the agent's endpoint." } : {}),
    headers: {
      'X-PAYMENT': textHeader('An x402 v1 payment, base64 JSON.', 'eyJ4NDAyVmVyc2lvbiI6MX0='),
      'PAYMENT-SIGNATURE': textHeader('An x402 v2 payment, base64 JSON.', 'eyJ4NDAyVmVyc2lvbiI6Mn0='),
    },
    answers: {
      200: answer(
        "The agent's answer.",
        agentsAnswer,
        { translation: 'Good morning' },
        { streamedAs: '*/*', headers: agentsHeaders },
      ),
      402: answer(
        "The agent's payment demand (x402), with this address as the resource to pay for.",
        agentsAnswer,
        exampleDemand,
        { streamedAs: '*/*', headers: agentsHeaders },
      ),
    },
    relayed: {
      description: "The agent's answer, with its own status, headers and body.",
      examples: { refused: { summary: "The agent's own refusal", value: { error: 'no such page' } } },
      body: agentsAnswer,
      streamedAs: '*/*',
      headers: agentsHeaders,
    },
    errorExamples: {
      no_endpoint: {
        detail: [
          { loc: ['path', 'agent_id'], msg: "Agent 'acme-buyer' has no endpoint to pay at.", type: 'no_endpoint' },
        ],
      },
    },
    errors: [
      'caller_mismatch',
      'agent_not_found',
      'no_endpoint',
      'payload_too_large',
      'downstream_failed',
      'too_many_calls',
      'target_unavailable',
      'target_busy',
      'log_rolled_back',
    ],
  });

export const payByGetRoute = payRoute('GET', 'payByGet');
export const payByPostRoute = payRoute('POST', 'payByPost');

export const listSettlementsRoute = route({
  method: 'GET',
  path: '/ops/settlements',
  operationId: 'listSettlements',
  summary: 'All settlements made through the registry, newest first, for its operators',
  description: 'In both universes. The registry does not know other payments.',
  tag: 'Settlement',
  credentials: ['admin_token', 'operator'],
  operatorRole: 'viewer',
  query: z.object({
    ...pageQuery('Settlements', limits.orgPaymentsPageMax, limits.orgPaymentsPageDefault, limits.orgListOffsetMax),
    org_name: orgName.optional().describe("One organisation's, exact but for case."),
  }),
  answers: {
    200: answer('One page of settlements.', z.array(settlementWire), [exampleSettlement], { headers: pageHeaders }),
  },
});

/** The routes about payments. */
export const settlementRoutes: readonly Route[] = [payByGetRoute, payByPostRoute, listSettlementsRoute];
