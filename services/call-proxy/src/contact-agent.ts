import { limits } from '@agent-trust/contracts';
import { readBytes, type SafeFetch } from '@agent-trust/safe-fetch';
import { paymentRequired } from './answer/payment-demand.ts';
import { isEventStream } from './answer/server-sent-event.ts';
import { wantsVersionOne } from './request/a2a-version-one.ts';
import type { A2aWireFormMemory } from './request/a2a-wire-form-memory.ts';
import type { ParsedMessage } from './request/message.ts';
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
  message: ParsedMessage;
  methodOverride: 'GET' | 'POST' | null;
  /** Laid under the plan's own headers: what the plan sets wins. */
  extraHeaders: Record<string, string>;
  signal: AbortSignal;
};

/** Each header as one value (RFC 9110 §5.3). */
const joinedHeaders = (headers: Readonly<Record<string, string | string[]>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : value.join(', ')]),
  );

/** The second form of a message has what the first has left of the agent's time, so that a call never takes longer than it may. */
const totalTimeoutMs = (deps: ContactDeps, plan: OutboundPlan): number =>
  plan.streaming ? streamTotalTimeoutMs : deps.callTimeoutMs;

const send = async (
  deps: ContactDeps,
  request: ContactRequest,
  plan: OutboundPlan,
  totalMs: number,
): Promise<Contacted> => {
  const response = await deps.safeFetch(plan.url, {
    method: plan.httpMethod,
    headers: { 'user-agent': 'agent-trust-registry', ...request.extraHeaders, ...plan.headers },
    body: plan.body,
    signal: request.signal,
    timeouts: {
      headersMs: Math.min(deps.callTimeoutMs, totalMs),
      bodyIdleMs: deps.callTimeoutMs,
      totalMs,
    },
    responseBodyBytesMax: plan.streaming ? streamedAnswerBytesMax : limits.callAnswerBytesMax,
  });
  const headers = joinedHeaders(response.headers);
  const contentType = headers['content-type'] ?? null;
  const head = { statusCode: response.status, headers, contentType };
  // A payment demand names the agent's address, which must be replaced before anything is passed on.
  const mayPassAsItComes = plan.streaming && isEventStream(contentType) && response.status !== paymentRequired;
  return mayPassAsItComes
    ? { ...head, kind: 'events', events: response.body }
    : { ...head, kind: 'whole', body: await readBytes(response.body, limits.callAnswerBytesMax) };
};

const asJson = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
};

/** The plan for the target's kind, in the wire form that the target is known to take. */
export const planFor = (deps: ContactDeps, request: ContactRequest, form?: A2aWireForm): OutboundPlan =>
  planRequest(request.target, request.message, {
    methodOverride: request.methodOverride,
    a2aWireForm: form ?? deps.wireForms.formOf(request.target.endpointUrl),
    newId: deps.newId,
  });

/**
 * Sends a planned request and waits for the answer, or for its head where it is a stream. An A2A server that answers that it knows
 * only A2A 1.0 gets the same message once more in that form, and is remembered; it is one exchange all the same.
 *
 * @throws OutboundError when the agent cannot be reached, breaks off, or answers too late or too much.
 */
export const contactAgent = async (
  deps: ContactDeps,
  request: ContactRequest,
  plan: OutboundPlan,
): Promise<Contacted> => {
  const startedAt = performance.now();
  const answer = await send(deps, request, plan, totalTimeoutMs(deps, plan));
  const { messageProtocol, a2aCompliant, endpointUrl } = request.target;
  const mayBeTooOld = messageProtocol === 'a2a' && a2aCompliant && deps.wireForms.formOf(endpointUrl) === 'superset';
  if (!mayBeTooOld || answer.kind === 'events' || !wantsVersionOne(asJson(answer.body))) return answer;
  const leftMs = Math.max(1, Math.floor(totalTimeoutMs(deps, plan) - (performance.now() - startedAt)));
  const second = await send(deps, request, planFor(deps, request, '1.0'), leftMs);
  // A server that refuses both forms for another reason must go on getting the older one.
  if (second.kind === 'events' || !wantsVersionOne(asJson(second.body))) deps.wireForms.rememberVersionOne(endpointUrl);
  return second;
};
