import { headerText, pathSegment, type QueryValues } from '../http/request-parts.ts';
import { guardedBody } from '../http/guarded-body.ts';
import { readText, unreadable } from '../http/read-body.ts';
import type { Operation, RawBody, ReadAnswer, Transport } from '../http/transport.ts';
import { limits } from '../limits.ts';
import type { RequestOptions } from '../options.ts';
import { paymentHeader, readDemands, readSettlement } from '../payment/read-demand.ts';
import type { OnPaymentRequired, PaymentDemand, PaymentSettlement } from '../payment/types.ts';

export type PayOptions = RequestOptions & {
  /** Default POST with a body, GET without one. */
  method?: 'GET' | 'POST';
  /** For the agent. */
  query?: QueryValues;
  /**
   * For the agent: text, bytes and forms are sent unchanged, anything else as JSON. A stream cannot be sent twice, so it cannot be combined with a
   * payment still to be made.
   */
  body?: unknown;
  /** For the agent, for example its own Authorization, which then replaces the client's key. */
  headers?: Readonly<Record<string, string>>;
  /** An x402 payment (base64 JSON, version 1 or 2). */
  payment?: string | undefined;
  /** `transaction_id` of a call to this agent, whose caller is the payer. */
  callRef?: string | undefined;
  /** The payer; counts only together with the key of that agent. */
  callerAgentId?: string | undefined;
  /** Called once when the agent requests a payment; the request is then made again with the payment. */
  onPaymentRequired?: OnPaymentRequired | undefined;
};

/** The agent's answer, whatever its status. */
export type PayAnswer = {
  status: number;
  headers: Headers;
  /** The agent's answer, whose body arrives as it is read: `await answer.response.json()`. */
  response: Response;
  /** The agent's payment demands, the newer version of x402 first; empty unless the status is 402. */
  demands: readonly PaymentDemand[];
  settlement: PaymentSettlement | null;
  /** How the registry identified the payer: `call_ref`, `bearer` or `none`. */
  attribution: string | null;
  requestId: string | null;
};

export type PaySettings = { callTimeoutMs: number; streamIdleTimeoutMs: number };

/** A payment is never retried, and this operation makes none itself. */
export function payOperation(transport: Transport, settings: PaySettings) {
  return async (agentId: string, options: PayOptions = {}): Promise<PayAnswer> => {
    const once = (payment: string | undefined): Promise<PayAnswer> =>
      transport.send(
        operationOf(agentId, { ...options, payment }, settings),
        options,
        readPayAnswer(settings, options),
      );
    const answer = await once(options.payment);
    const [first] = answer.demands;
    if (first === undefined || options.payment !== undefined || options.onPaymentRequired === undefined) return answer;
    const payment = await options.onPaymentRequired(first, answer.demands);
    return payment === null ? answer : once(payment);
  };
}

const readPayAnswer =
  ({ streamIdleTimeoutMs }: PaySettings, { signal }: PayOptions): ReadAnswer<PayAnswer> =>
  async (response, deadline, { operation, requestId }) => {
    const { status, headers } = response;
    const demand =
      status === 402 ? await readText(response, limits.demandCharsMax).catch(unreadable(operation, response)) : null;
    if (demand !== null) deadline.end();
    const idle = { operation, deadline, idleTimeoutMs: streamIdleTimeoutMs, caller: signal };
    return {
      status,
      headers,
      response: new Response(demand ?? guardedBody(response, idle), { status, headers }),
      demands: demand === null ? [] : readDemands(headers.get('payment-required'), demand),
      settlement: readSettlement((name) => headers.get(name)),
      attribution: headers.get('x-registry-attribution'),
      requestId,
    };
  };

const operationOf = (
  agentId: string,
  { method, query, body, headers, payment, callRef, callerAgentId }: PayOptions,
  { callTimeoutMs }: PaySettings,
): Operation => ({
  method: method ?? (body === undefined ? 'GET' : 'POST'),
  path: `/pay/${pathSegment(agentId)}`,
  name: '/pay/{agent_id}',
  query: { ...query, call_ref: callRef, caller_agent_id: callerAgentId },
  ...(body === undefined ? {} : isSentAsItIs(body) ? { raw: body } : { json: body }),
  headers: {
    accept: '*/*',
    ...agentsHeaders(headers),
    ...(payment === undefined ? {} : paymentHeader(headerText('payment', payment))),
  },
  credentials: ['agent'],
  repeat: 'never',
  timeoutMs: callTimeoutMs,
  // The agent's answer has the attribution; the registry's own refusals do not.
  isAnswer: (response) => response.headers.has('x-registry-attribution'),
});

/** In lower case, so that the agent's own Authorization replaces the client's instead of being sent in addition. */
const agentsHeaders = (headers: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), headerText(`the header ${name}`, value)]),
  );

const isSentAsItIs = (body: unknown): body is RawBody =>
  typeof body === 'string' ||
  body instanceof Uint8Array ||
  body instanceof ArrayBuffer ||
  (typeof Blob !== 'undefined' && body instanceof Blob) ||
  (typeof FormData !== 'undefined' && body instanceof FormData) ||
  body instanceof URLSearchParams ||
  body instanceof ReadableStream;
