import { NetworkError, UnexpectedAnswerError } from '../errors.ts';
import { pathSegment, type QueryValues } from '../http/base-url.ts';
import { headerText } from '../http/header-text.ts';
import { BodyTooLong, readText } from '../http/read-body.ts';
import type { Operation, RawBody, Transport } from '../http/transport.ts';
import { limits } from '../limits.ts';
import type { RequestOptions } from '../options.ts';
import { paymentHeader, readDemands, readSettlement } from '../payment/read-demand.ts';
import type { OnPaymentRequired, PaymentDemand, PaymentSettlement } from '../payment/types.ts';

export type PayOptions = RequestOptions & {
  /** Default POST with a body, GET without one. */
  method?: 'GET' | 'POST';
  /** For the agent. */
  query?: QueryValues;
  /** For the agent: a text, bytes or a form as they are, anything else as JSON. A stream cannot be sent twice, so not with a payment still to be made. */
  body?: unknown;
  /** For the agent, e.g. its own Authorization. */
  headers?: Readonly<Record<string, string>>;
  /** An x402 payment (base64 JSON, version 1 or 2). */
  payment?: string | undefined;
  /** `transaction_id` of a call to this agent, whose caller is the payer. */
  callRef?: string | undefined;
  /** Who pays; counts only together with the key of that agent. */
  callerAgentId?: string | undefined;
  /** Asked once when the agent wants to be paid; the request is then made again with the payment. */
  onPaymentRequired?: OnPaymentRequired | undefined;
};

/** The agent's answer, whatever its status. */
export type PayAnswer = {
  status: number;
  headers: Headers;
  /** Of a success, as it comes; of anything else there is `text`. */
  response: Response;
  /** What the agent wants to be paid, the newer version of x402 first; empty unless the status is 402. */
  demands: readonly PaymentDemand[];
  settlement: PaymentSettlement | null;
  /** By what the registry knows the payer: `call_ref`, `bearer` or `none`. */
  attribution: string | null;
  requestId: string | null;
};

export type PaySettings = { callTimeoutMs: number };

/** A payment is never sent again by itself, and none is made here. */
export const payOperation =
  (transport: Transport, settings: PaySettings) =>
  async (agentId: string, options: PayOptions = {}): Promise<PayAnswer> => {
    const once = (payment: string | undefined): Promise<PayAnswer> =>
      transport.send(
        operationOf(agentId, { ...options, payment }, settings),
        options,
        async (response, deadline, info) => {
          const text = response.status === 402 ? await demandText(response, info.operation) : null;
          deadline.end();
          return {
            status: response.status,
            headers: response.headers,
            response: text === null ? response : new Response(text, { status: 402, headers: response.headers }),
            demands: text === null ? [] : readDemands(response.headers.get('payment-required'), text),
            settlement: readSettlement((name) => response.headers.get(name)),
            attribution: response.headers.get('x-registry-attribution'),
            requestId: info.requestId,
          };
        },
      );
    const answer = await once(options.payment);
    const [first] = answer.demands;
    if (first === undefined || options.payment !== undefined || options.onPaymentRequired === undefined) return answer;
    const payment = await options.onPaymentRequired(first, answer.demands);
    return payment === null ? answer : once(payment);
  };

const demandText = (response: Response, operation: string): Promise<string> =>
  readText(response, limits.demandCharsMax).catch((cause: unknown) => {
    if (cause instanceof BodyTooLong) throw new UnexpectedAnswerError(operation, cause.message, { status: 402 });
    throw new NetworkError(operation, 'the connection broke in the middle of the answer', { cause });
  });

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
    ...headers,
    ...(payment === undefined ? {} : paymentHeader(headerText('payment', payment))),
  },
  credentials: ['agent'],
  repeat: 'never',
  timeoutMs: callTimeoutMs,
  // The agent's answer says by whom it was paid for; the registry's own refusals do not.
  isAnswer: (response) => response.headers.has('x-registry-attribution'),
});

const isSentAsItIs = (body: unknown): body is RawBody =>
  typeof body === 'string' ||
  body instanceof Uint8Array ||
  body instanceof ArrayBuffer ||
  (typeof Blob !== 'undefined' && body instanceof Blob) ||
  (typeof FormData !== 'undefined' && body instanceof FormData) ||
  body instanceof URLSearchParams ||
  body instanceof ReadableStream;
