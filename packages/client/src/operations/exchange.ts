import { UnexpectedAnswerError } from '../errors.ts';
import { answerInfo, readJson } from '../http/read-json.ts';
import type { Operation, ReadAnswer, Transport } from '../http/transport.ts';
import { headerText } from '../http/request-parts.ts';
import type { WriteOptions } from '../options.ts';
import { paymentHeader, readDemands } from '../payment/read-demand.ts';
import type { OnPaymentRequired } from '../payment/types.ts';
import { readEvents } from '../stream/read-events.ts';
import type { StreamEvent } from '../stream/event-parser.ts';
import type {
  CallRequest,
  CallResponse,
  ReviewAnswered,
  ReviewAnswerRequest,
  ReviewRequest,
  TrustObject,
} from '../types.ts';
import { ask, write } from './ask.ts';

export type CallOptions = WriteOptions & {
  /** An x402 payment (base64 JSON, version 1 or 2), passed on to the agent. */
  payment?: string | undefined;
  /** Session of an mcp target, from an earlier answer's `mcp_session_id`. */
  mcpSessionId?: string | undefined;
  /** Called once when the agent requests a payment; the call is then made again with the payment. Without it a 402 is an answer like any other. */
  onPaymentRequired?: OnPaymentRequired | undefined;
};

/** A call whose answer is a stream of events. */
export type CallStream = {
  transactionId: string | null;
  /** The agent's own status. */
  statusCode: number;
  /** Where to pay, if the agent requests a payment. */
  payVia: string | null;
  mcpSessionId: string | null;
  requestId: string | null;
  /** The events as they arrive. Can be read once; leaving the loop ends the call. */
  events: AsyncIterable<StreamEvent>;
  /** Ends the call, also if nobody reads its events. */
  cancel(): Promise<void>;
};

export type ExchangeSettings = { callTimeoutMs: number; streamIdleTimeoutMs: number; eventBytesMax: number };

export function exchangeOperations(transport: Transport, settings: ExchangeSettings) {
  return {
    /**
     * Sends a message to an agent. Resolves whenever the agent answered, with its own status in `status_code`; a RegistryError `downstream_failed`
     * means that it did not, and has the `transaction_id` in its body.
     */
    call: async (body: CallRequest, options: CallOptions = {}): Promise<CallResponse> => {
      if (asksForStream(body)) throw new TypeError('a call of message/stream is made with callStream');
      const once = (more: CallOptions): Promise<CallResponse> =>
        ask<CallResponse>(transport, callOperation(body, more, settings), more);
      const answer = await once(options);
      const { onPaymentRequired } = options;
      if (answer.status_code !== 402 || onPaymentRequired === undefined || options.payment !== undefined) return answer;
      const demands = readDemands(answer.response_headers?.['payment-required'] ?? null, answer.body);
      const [first] = demands;
      if (first === undefined) return answer;
      const payment = await onPaymentRequired(first, demands);
      // The call that pays is another request; the key of the first call belongs to its 402.
      return payment === null ? answer : once({ ...options, payment, idempotencyKey: undefined });
    },

    /** The same for `message/stream`: resolves with the answer's head, and then yields the events as they arrive. */
    callStream: async (body: CallRequest, options: Omit<CallOptions, 'onPaymentRequired'> = {}): Promise<CallStream> =>
      transport.send(callOperation(body, options, settings), options, readStream(transport, settings, options.signal)),

    /** Rates an exchange: the caller's latest unreviewed one with the receiver, or the one that `transaction_id` names. */
    review: (body: ReviewRequest, options: WriteOptions = {}): Promise<TrustObject> =>
      write(
        transport,
        { path: '/review', json: body, credentials: ['signature', 'agent'], actor: body.caller_agent_id },
        options,
      ),

    /**
     * Answers a rating that an agent of one's own received, once; the answer is shown beside the rating. Sent with the agent's own signer, else the
     * organisation's key, else the agent's key, else an operator's key or token.
     */
    answerReview: (body: ReviewAnswerRequest, options: WriteOptions = {}): Promise<ReviewAnswered> =>
      write(
        transport,
        {
          path: '/review/answer',
          json: body,
          credentials: ['signature', 'organisation', 'agent', 'admin'],
          actor: body.agent_id,
        },
        options,
      ),
  };
}

/** The registry refuses a request without a message, like any other that lacks a field. */
const methodOf = (body: CallRequest): unknown => (body as Partial<CallRequest> | undefined)?.message?.['method'];
const asksForStream = (body: CallRequest): boolean => methodOf(body) === 'message/stream';

const callOperation = (
  body: CallRequest,
  { payment, mcpSessionId, idempotencyKey }: CallOptions,
  { callTimeoutMs }: ExchangeSettings,
): Operation => ({
  method: 'POST',
  path: '/call',
  // Each attempt opens a new MCP session, so the registry accepts no key for it.
  repeat: methodOf(body) === 'initialize' ? 'never' : 'with_key',
  idempotencyKey,
  json: body,
  credentials: ['signature', 'agent'],
  actor: body.caller_agent_id,
  timeoutMs: callTimeoutMs,
  headers: {
    ...(asksForStream(body) ? { accept: 'text/event-stream, application/json' } : {}),
    ...(payment === undefined ? {} : paymentHeader(headerText('payment', payment))),
    ...(mcpSessionId === undefined ? {} : { 'mcp-session-id': headerText('mcpSessionId', mcpSessionId) }),
  },
});

const readStream =
  (
    transport: Transport,
    { streamIdleTimeoutMs, eventBytesMax }: ExchangeSettings,
    caller: AbortSignal | undefined,
  ): ReadAnswer<CallStream> =>
  async (response, deadline, info) => {
    const { headers } = response;
    const type = headers.get('content-type') ?? '';
    if (type.startsWith('application/json')) {
      const answer = await readJson<CallResponse>(transport.answerBytesMax)(response, deadline, info);
      if (typeof answer.status_code !== 'number')
        throw new UnexpectedAnswerError(info.operation, 'answered with neither events nor an exchange', info);
      return wholeAsStream(answer);
    }
    if (!type.startsWith('text/event-stream')) {
      response.body?.cancel().catch(() => {});
      throw new UnexpectedAnswerError(info.operation, 'answered with neither events nor JSON', info);
    }
    const transactionId = headers.get('x-registry-transaction-id');
    const reader = response.body?.getReader();
    const events = readEvents(reader, {
      operation: info.operation,
      transactionId,
      deadline,
      idleTimeoutMs: streamIdleTimeoutMs,
      eventBytesMax,
      caller,
    });
    deadline.pause();
    return {
      transactionId,
      statusCode: Number(headers.get('x-registry-status-code') ?? info.status),
      payVia: headers.get('x-registry-pay-via'),
      mcpSessionId: headers.get('mcp-session-id'),
      requestId: info.requestId,
      events,
      cancel: async () => {
        // First, because it ends a pending read; the loop would be left only after that.
        await reader?.cancel().catch(() => {});
        await events.return();
        deadline.end();
      },
    };
  };

/** A complete answer is one event. */
const wholeAsStream = (answer: CallResponse): CallStream => {
  const data = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
  return {
    transactionId: answer.transaction_id,
    statusCode: answer.status_code,
    payVia: answer.pay_via ?? null,
    mcpSessionId: answer.mcp_session_id,
    requestId: answerInfo(answer)?.requestId ?? null,
    events: (async function* () {
      yield { event: 'message', id: null, data, json: typeof answer.body === 'string' ? undefined : answer.body };
    })(),
    cancel: async () => {},
  };
};
