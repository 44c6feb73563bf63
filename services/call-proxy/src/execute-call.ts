import { createDigest } from './answer/digest.ts';
import { relayEvents } from './answer/relay-events.ts';
import { headOf, shownAnswer } from './answer/shown-answer.ts';
import type { CallAnswer, CallContext, CallDeps, CallInput, CallTrailer } from './call.ts';
import { type Contacted, contactAgent, planFor } from './contact-agent.ts';
import { type AnsweredEnd, endAnswered, recordCall } from './exchange/record-call.ts';
import { refuseIfMade } from './exchange/refuse-if-made.ts';
import { failCall } from './fail-call.ts';
import { findFallback } from './fallback.ts';
import { forwardableHeaders } from './headers/forwarded-headers.ts';
import { keepDemand, preparePayment, redactionFor, settleCall } from './payment/call-payment.ts';
import { enterTarget, resolveTarget } from './target.ts';

async function* once(body: Uint8Array): AsyncGenerator<Uint8Array> {
  if (body.byteLength > 0) yield body;
}

/**
 * Carries one call to an agent (contract: `execute_call`). The exchange is durable before the agent is contacted and closed before
 * the answer's trailer; whatever dies in between, the log shows how far it got.
 *
 * @throws DomainError for what the caller did wrong; RpcRefusal `downstream_failed` when the agent did not answer, `target_unavailable` or
 *   `target_busy` when it is not tried now; EventLogError when the record could not be written.
 */
export async function executeCall(
  deps: CallDeps,
  input: CallInput,
  readMessage: () => Promise<Uint8Array>,
  context: CallContext,
): Promise<CallAnswer> {
  // First of all, since whether the call may be made could have changed since it was.
  await refuseIfMade({ deps, input, context });
  const target = await resolveTarget(deps.rpc, input, context.correlationId);
  const pass = await enterTarget({ deps, input, context }, target);
  // Not before: calls that are not admitted must not hold ten MiB each.
  const message = await readMessage();
  const payment = await preparePayment(deps, input.paymentHeaders, target, input.caller.universe);
  const request = {
    target,
    message,
    methodOverride: input.method,
    extraHeaders: {
      ...forwardableHeaders(input.forwardedHeaders),
      ...payment.headers,
      ...(target.messageProtocol === 'mcp' && input.mcpSessionId !== null
        ? { 'mcp-session-id': input.mcpSessionId }
        : {}),
    },
    signal: context.signal,
  };
  const plan = planFor(deps, request);
  const call = await recordCall({ deps, input, context }, plan, message, target.messageProtocol);
  const { exchange } = call;

  let contacted: Contacted;
  try {
    contacted = await contactAgent(deps, request, plan);
    pass.answered();
  } catch (error) {
    pass.failed(error);
    throw await failCall(call, error);
  }

  // Before anything of the answer is passed on: what was paid for is on record by then.
  const settledAt = await settleCall(call, contacted, payment);
  const redaction = redactionFor(target, deps.baseUrl);
  const head = headOf(contacted, target, { transactionId: exchange?.transactionId ?? null, redaction });
  if (contacted.kind === 'events') {
    let end: AnsweredEnd = { position: null, isRecorded: true };
    const body = relayEvents(call, contacted, (known) => {
      end = known;
    });
    const trailer = async (): Promise<CallTrailer> => trailerOf(end, settledAt, null);
    return { head: { ...head, streaming: true }, body, trailer };
  }

  const digest = createDigest();
  digest.add(contacted.body);
  const answer = { statusCode: contacted.statusCode, responseDigest: digest.hex(), responseBytes: digest.bytes() };
  const end = await endAnswered(call, answer);
  const fallbackAgentId = contacted.statusCode >= 500 ? await findFallback(call) : null;
  const trailer = trailerOf(end, settledAt, fallbackAgentId);
  const shown = shownAnswer(contacted, target, { streaming: plan.streaming, redaction });
  await keepDemand(call, contacted, target, redaction);
  return {
    head: {
      ...head,
      responseHeaders: {
        ...head.responseHeaders,
        ...(shown.isWithheld && shown.contentType !== null ? { 'content-type': shown.contentType } : {}),
      },
      streaming: plan.streaming,
      contentType: shown.contentType,
      position: trailer.position,
    },
    body: once(shown.body),
    trailer: async () => trailer,
  };
}

/** Whoever reads up to the position sees the exchange's end, or where there is none the settlement. */
const trailerOf = (end: AnsweredEnd, settledAt: bigint | null, fallbackAgentId: string | null): CallTrailer => {
  const position = end.position ?? settledAt;
  return { position: position === null ? null : String(position), fallbackAgentId, endIsRecorded: end.isRecorded };
};
