import { limits } from '@agent-trust/contracts';
import {
  announcedLength,
  isCoded,
  isSuccess,
  proxyLimits,
  readInTurn,
  type RoutableTarget,
} from '@agent-trust/proxy-kit';
import { joinedHeaders, OutboundError } from '@agent-trust/safe-fetch';
import { paymentHeaders } from '@agent-trust/x402';
import { isEventStream } from './answer/server-sent-events.ts';
import type { CallDeps } from './call.ts';
import { callProxyLimits } from './limits.ts';
import { formSupport } from './request/a2a-wire-forms.ts';
import type { A2aWireForm, OutboundPlan } from './request/outbound-plan.ts';
import { planRequest } from './request/plan.ts';

export type Contacted = {
  statusCode: number;
  headers: Record<string, string>;
  contentType: string | null;
} & ({ kind: 'events'; events: AsyncIterable<Uint8Array> } | { kind: 'whole'; body: Uint8Array });

export type ContactDeps = Pick<
  CallDeps,
  'safeFetch' | 'wireForms' | 'newId' | 'callTimeoutMs' | 'streamedAnswerBytesMax'
>;

export type ContactRequest = {
  target: RoutableTarget;
  message: Uint8Array;
  methodOverride: 'GET' | 'POST' | null;
  /** The plan's own headers take precedence. */
  extraHeaders: Record<string, string>;
  signal: AbortSignal;
  /** Makes room for an answer that turns out long. @param bytes as announced; null if it was not. */
  holdAnswer: (bytes: number | null, waitMs: number) => Promise<void>;
};

/** @param startedAt when the call's first request was sent, by the monotonic clock: all requests of a call share one time limit. */
const send = async (
  deps: ContactDeps,
  request: ContactRequest,
  plan: OutboundPlan,
  startedAt: number,
): Promise<Contacted> => {
  const leftMs = (limitMs: number): number => Math.max(1, Math.floor(limitMs - (performance.now() - startedAt)));
  const answerMs = leftMs(deps.callTimeoutMs);
  const response = await deps.safeFetch(plan.url, {
    method: plan.httpMethod,
    headers: { 'user-agent': 'agent-trust-registry', ...request.extraHeaders, ...plan.headers },
    body: plan.body,
    signal: request.signal,
    timeouts: {
      headMs: answerMs,
      headersMs: answerMs,
      bodyIdleMs: deps.callTimeoutMs,
      totalMs: plan.streaming ? leftMs(proxyLimits.streamTotalMs) : answerMs,
    },
    responseBodyBytesMax: plan.streaming ? deps.streamedAnswerBytesMax : limits.callAnswerBytesMax,
  });
  const headers = joinedHeaders(response.headers);
  const contentType = headers['content-type'] ?? null;
  const head = { statusCode: response.status, headers, contentType };
  if (plan.streaming && isSuccess(response.status)) {
    if (isCoded(headers)) {
      // Compression was not asked for, and a reader of events cannot read it.
      response.body.cancel();
      throw new OutboundError('protocol', 'content_encoding');
    }
    if (isEventStream(contentType)) return { ...head, kind: 'events', events: response.body };
  }
  // An answer that is no stream has the usual time, even if a stream was asked for.
  const announcedBytes = announcedLength(headers);
  const body = await readInTurn(response.body, {
    announcedBytes,
    bytesMax: limits.callAnswerBytesMax,
    shortBytesMax: callProxyLimits.shortBytesMax,
    withinMs: leftMs(deps.callTimeoutMs),
    hold: request.holdAnswer,
  });
  return { ...head, kind: 'whole', body };
};

const carriesPayment = ({ extraHeaders }: ContactRequest): boolean =>
  Object.values(paymentHeaders).some((name) => name in extraHeaders);

/** The plan for the target's kind, in the given or the target's known wire form. Throws DomainError invalid_message. */
export function planFor(deps: ContactDeps, request: ContactRequest, form?: A2aWireForm): OutboundPlan {
  return planRequest(request.target, request.message, {
    methodOverride: request.methodOverride,
    a2aWireForm: form ?? deps.wireForms.formOf(request.target.endpointUrl),
    newId: deps.newId,
  });
}

const formSupportOf = (answer: Contacted): ReturnType<typeof formSupport> =>
  formSupport(answer.statusCode, answer.kind === 'events' ? null : answer.body);

/**
 * Sends a planned request and waits for the answer, or for the head of a stream. An A2A server that answers that it does not know the wire form gets
 * the same message once more in the other form, within the same exchange; the proxy remembers the form. A message with a payment is not repeated:
 * the payment may be spent, and its settlement would be lost with the first answer. The caller gets that answer, and the next call uses the other
 * form, unless the server has confirmed a form, or may only lack streams.
 *
 * @throws OutboundError if the agent cannot be reached, breaks off, or answers too late or too much.
 */
export async function contactAgent(deps: ContactDeps, request: ContactRequest, plan: OutboundPlan): Promise<Contacted> {
  const startedAt = performance.now();
  const { messageProtocol, a2aCompliant, endpointUrl } = request.target;
  const answer = await send(deps, request, plan, startedAt);
  if (messageProtocol !== 'a2a' || !a2aCompliant) return answer;
  const [form, otherForm]: [A2aWireForm, A2aWireForm] =
    plan.headers['a2a-version'] === '1.0' ? ['1.0', 'superset'] : ['superset', '1.0'];
  const support = formSupportOf(answer);
  if (support === 'known') deps.wireForms.confirm(endpointUrl, form);
  if (support !== 'unknown') return answer;
  if (carriesPayment(request)) {
    // A server without streams answers a request for one in the same way.
    if (!plan.streaming) deps.wireForms.suppose(endpointUrl, otherForm);
    return answer;
  }
  const second = await send(deps, request, planFor(deps, request, otherForm), startedAt);
  const secondSupport = formSupportOf(second);
  if (secondSupport === 'known') deps.wireForms.confirm(endpointUrl, otherForm);
  // A server that refuses both forms for another reason keeps the form that it had.
  else if (secondSupport === 'unclear') deps.wireForms.suppose(endpointUrl, otherForm);
  return second;
}
