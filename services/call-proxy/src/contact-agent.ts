import { callWaitsMs, DomainError, limits } from '@agent-trust/contracts';
import { joinedHeaders, OutboundError, type SafeFetch } from '@agent-trust/safe-fetch';
import { paymentHeaders } from '@agent-trust/x402';
import { isCoded, isSuccess } from './answer/answer-kind.ts';
import { formTold } from './answer/form-told.ts';
import { readWhole } from './answer/read-whole.ts';
import { isEventStream } from './answer/server-sent-event.ts';
import type { A2aWireFormMemory } from './request/a2a-wire-form-memory.ts';
import { inTurn } from './request/in-turn.ts';
import { planRequest } from './request/plan.ts';
import type { A2aWireForm, OutboundPlan, RoutableTarget } from './request/plan.ts';

/** Longest life of a streamed answer, however lively it is. */
export const streamTotalTimeoutMs = 15 * 60_000;
/** Bytes of a streamed answer. It is never held whole, so this bounds what one call may carry, not what it needs of memory. */
export const streamedAnswerBytesMax = 1024 * 1024 * 1024;

/** What came back: server-sent events that are still coming, or a whole answer. */
export type Contacted = {
  statusCode: number;
  headers: Record<string, string>;
  contentType: string | null;
} & ({ kind: 'events'; events: AsyncIterable<Uint8Array> } | { kind: 'whole'; body: Uint8Array });

export type ContactDeps = {
  safeFetch: SafeFetch;
  wireForms: A2aWireFormMemory;
  newId: () => string;
  callTimeoutMs: number;
};

export type ContactRequest = {
  target: RoutableTarget;
  callerAgentId: string;
  /** As the caller sent it. What it means is looked up where a plan is made, and not kept: as values it may be many times as large. */
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
      totalMs: plan.streaming ? leftMs(streamTotalTimeoutMs) : answerMs,
    },
    responseBodyBytesMax: plan.streaming ? streamedAnswerBytesMax : limits.callAnswerBytesMax,
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
  return { ...head, kind: 'whole', body: await readWhole(response.body, leftMs(deps.callTimeoutMs)) };
};

const carriesPayment = ({ extraHeaders }: ContactRequest): boolean =>
  Object.values(paymentHeaders).some((name) => name in extraHeaders);

/**
 * The plan for the target's kind, in the wire form that the target is known to take or in a given one.
 *
 * @throws DomainError invalid_message; overloaded when the turn of a long message has not come in time. The signal's reason.
 */
export function planFor(
  deps: ContactDeps,
  request: ContactRequest,
  { form, waitMsMax = callWaitsMs.messageTurn }: { form?: A2aWireForm; waitMsMax?: number } = {},
): Promise<OutboundPlan> {
  return inTurn(request.message, { callerAgentId: request.callerAgentId, signal: request.signal, waitMsMax }, () =>
    planRequest(request.target, request.message, {
      methodOverride: request.methodOverride,
      a2aWireForm: form ?? deps.wireForms.formOf(request.target.endpointUrl),
      newId: deps.newId,
    }),
  );
}

/**
 * The same message in the other form, or null where its turn comes too late: of the time that is left at least half is the agent's, who
 * would else be blamed for an answer that it had no time for.
 *
 * @throws OutboundError aborted
 */
const planAgain = async (
  deps: ContactDeps,
  request: ContactRequest,
  form: A2aWireForm,
  startedAt: number,
): Promise<OutboundPlan | null> => {
  const leftMs = (): number => deps.callTimeoutMs - (performance.now() - startedAt);
  try {
    const plan = await planFor(deps, request, { form, waitMsMax: Math.min(callWaitsMs.messageTurn, leftMs() / 2) });
    return leftMs() > 0 ? plan : null;
  } catch (error) {
    if (request.signal.aborted) throw new OutboundError('aborted', 'aborted', error);
    if (error instanceof DomainError && error.code === 'overloaded') return null;
    throw error;
  }
};

/**
 * Sends a planned request and waits for the answer, or for its head where it is a stream. An A2A server that answers that it does not
 * know the form (it knows only A2A 1.0, or is not any more the one that did) gets the same message once more in the other, and is
 * remembered; it is one exchange all the same. Not where a payment went along: it may be spent, and what is told of it would be lost with
 * the first answer. That answer is the caller's, and its next call goes in the other form, unless something better is known of the server: a
 * form that it has answered, or that it may just not stream.
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
  const told = formTold(answer);
  if (told === 'known') deps.wireForms.answered(endpointUrl, form);
  if (told !== 'unknown') return answer;
  if (carriesPayment(request)) {
    // A server that streams nothing says the same of a stream that is asked for in a form that it knows.
    if (!plan.streaming) deps.wireForms.suppose(endpointUrl, otherForm);
    return answer;
  }
  const secondPlan = await planAgain(deps, request, otherForm, startedAt);
  if (secondPlan === null) return answer;
  const second = await send(deps, request, secondPlan, startedAt);
  const toldThen = formTold(second);
  if (toldThen === 'known') deps.wireForms.answered(endpointUrl, otherForm);
  // A server that refuses both forms for another reason must go on getting the one that it got.
  else if (toldThen === 'nothing') deps.wireForms.suppose(endpointUrl, otherForm);
  return second;
}
