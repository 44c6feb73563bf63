import { limits } from '@agent-trust/contracts';
import { joinedHeaders, OutboundError, readWithin, type SafeFetch } from '@agent-trust/safe-fetch';
import { paymentHeaders } from '@agent-trust/x402';
import { isCoded, isSuccess } from './answer/answer-kind.ts';
import { isEventStream } from './answer/server-sent-event.ts';
import { callProxyLimits } from './limits.ts';
import { type A2aWireForms, formSupport } from './request/a2a-wire-forms.ts';
import type { A2aWireForm, OutboundPlan, RoutableTarget } from './request/outbound-plan.ts';
import { planRequest } from './request/plan.ts';

/** What came back: server-sent events that are still coming, or a whole answer. */
export type Contacted = {
  statusCode: number;
  headers: Record<string, string>;
  contentType: string | null;
} & ({ kind: 'events'; events: AsyncIterable<Uint8Array> } | { kind: 'whole'; body: Uint8Array });

export type ContactDeps = {
  safeFetch: SafeFetch;
  wireForms: A2aWireForms;
  newId: () => string;
  callTimeoutMs: number;
};

export type ContactRequest = {
  target: RoutableTarget;
  /** As the caller sent it. */
  message: Uint8Array;
  methodOverride: 'GET' | 'POST' | null;
  /** Laid under the plan's own headers: what the plan sets wins. */
  extraHeaders: Record<string, string>;
  signal: AbortSignal;
};

/**
 * @param startedAt When the call's first request went out, by the monotonic clock. Whatever is sent and read after it shares one time
 *   limit, so that no call takes longer than it may.
 */
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
      totalMs: plan.streaming ? leftMs(callProxyLimits.streamTotalMs) : answerMs,
    },
    responseBodyBytesMax: plan.streaming ? callProxyLimits.streamedAnswerBytesMax : limits.callAnswerBytesMax,
  });
  const headers = joinedHeaders(response.headers);
  const contentType = headers['content-type'] ?? null;
  const head = { statusCode: response.status, headers, contentType };
  if (plan.streaming && isSuccess(response.status)) {
    if (isCoded(headers)) {
      // It was asked for without, and a caller that reads events could make nothing of it.
      response.body.cancel();
      throw new OutboundError('protocol', 'content_encoding');
    }
    if (isEventStream(contentType)) return { ...head, kind: 'events', events: response.body };
  }
  // An agent that was asked for a stream and sends something else has no longer for it than for any answer.
  const body = await readWithin(response.body, limits.callAnswerBytesMax, leftMs(deps.callTimeoutMs));
  return { ...head, kind: 'whole', body };
};

const carriesPayment = ({ extraHeaders }: ContactRequest): boolean =>
  Object.values(paymentHeaders).some((name) => name in extraHeaders);

/**
 * The plan for the target's kind, in the wire form that the target is known to take or in a given one.
 *
 * @throws DomainError invalid_message
 */
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
 * Sends a planned request and waits for the answer, or for its head where it is a stream. An A2A server that answers that it does not
 * know the form (it knows only A2A 1.0, or has changed) gets the same message once more in the other, within the same exchange, and is
 * remembered. Not where a payment went along: it may be spent, and its settlement would be lost with the first answer. That answer is the
 * caller's, and the next call goes in the other form, unless something better is known of the server: a form that it has answered, or
 * that it may just not stream.
 *
 * @throws OutboundError when the agent cannot be reached, breaks off, or answers too late or too much.
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
    // A server that streams nothing says the same of a stream that is asked for in a form that it knows.
    if (!plan.streaming) deps.wireForms.suppose(endpointUrl, otherForm);
    return answer;
  }
  const second = await send(deps, request, planFor(deps, request, otherForm), startedAt);
  const secondSupport = formSupportOf(second);
  if (secondSupport === 'known') deps.wireForms.confirm(endpointUrl, otherForm);
  // A server that refuses both forms for another reason must go on getting the one that it got.
  else if (secondSupport === 'unclear') deps.wireForms.suppose(endpointUrl, otherForm);
  return second;
}
