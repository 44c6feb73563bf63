import { hash } from 'node:crypto';
import { executeCall as contract, payViaUrl } from '@agent-trust/contracts';
import { histogram, secondsSince } from '@agent-trust/metrics';
import {
  annotateSpan,
  carryPayment,
  countingRefusals,
  enterTarget,
  findTarget,
  freeBody,
  keepDemand,
  once,
  readBody,
  redactionFor,
  serveOptions,
  settleAnswer,
} from '@agent-trust/proxy-kit';
import { paymentRequired, redactDemand } from '@agent-trust/x402';
import type { z } from 'zod';
import { headOf, shownAnswer } from './answer/shown-answer.ts';
import type { CallContext, CallDeps, CallInput } from './call.ts';
import { type Contacted, contactAgent, planFor } from './contact-agent.ts';
import { type AnsweredEnd, endAnswered, failCall, relayEvents } from './exchange/end-call.ts';
import { recordCall } from './exchange/record-call.ts';
import { refuseIfMade } from './exchange/refuse-if-made.ts';
import { findFallback } from './fallback.ts';
import { headersForAgent } from './headers.ts';

type CallTrailer = z.output<typeof contract.trailer>;

/** What goes back to the gateway: the head at once, then the body as it arrives, then what is known only at the end. */
type CallAnswer = {
  head: z.output<typeof contract.head>;
  body: AsyncIterable<Uint8Array>;
  trailer: () => CallTrailer;
};

const added = histogram('registry.call.added.duration');

/** Serves `execute_call` in the queue group of all call-proxies. */
export async function serveCalls(deps: CallDeps, requestsMax: number): Promise<void> {
  await deps.rpc.serveStream(
    contract,
    async (context, input, body, answer) => {
      const endings: (() => void)[] = [];
      let isOver = false;
      const onOver = (end: () => void): void => (isOver ? end() : void endings.push(end));
      try {
        return await countingRefusals('calls', async () => {
          const readMessage = (): Promise<Uint8Array> => readBody(body, input.messageBytes);
          const called = await executeCall(deps, input, readMessage, { ...context, onOver });
          answer.head(called.head);
          for await (const chunk of called.body) await answer.write(chunk);
          return called.trailer();
        });
      } finally {
        isOver = true;
        for (const end of endings) end();
      }
    },
    serveOptions(requestsMax),
  );
}

/**
 * Carries one call to an agent (contract: `execute_call`). The start of the exchange is durable before the agent is contacted, its end before the
 * answer's trailer: after any crash, the log shows how far it got.
 *
 * @throws DomainError for mistakes of the caller; RpcRefusal `downstream_failed` if the agent did not answer, `target_unavailable` or `target_busy`
 *   if it is not contacted now; EventLogError if the start could not be recorded.
 */
const executeCall = async (
  deps: CallDeps,
  input: CallInput,
  readMessage: () => Promise<Uint8Array>,
  context: CallContext,
): Promise<CallAnswer> => {
  const startedAt = performance.now();
  const { agentId, caller, callerAgentId } = input;
  const { universe } = caller;
  const started = { deps, input, context };
  // First, because the other checks may have other results than when the call was made.
  await refuseIfMade(started);
  const parties = { agentId, universe, caller, callerAgentId };
  const target = await findTarget(deps, 'call', parties, context.correlationId);
  const { endpointUrl, messageProtocol } = target;
  const guarded = { url: endpointUrl, agentId, callerId: caller.agentId };
  const pass = await enterTarget(deps.guard, guarded, () => deps.fallbacks.fallbackOf(started));
  context.onOver(() => pass.leave());
  // Not earlier: calls that are not admitted must not hold ten MiB each.
  context.onOver(deps.heldBytes.holdMessage(caller, input.messageBytes));
  const message = await readMessage();
  const payBase = payViaUrl(deps.baseUrl, agentId);
  // A call has no query, so all calls share the agent's demand with the pay address without a query.
  const demandPlace = { agentId, orgId: target.orgId, universe, query: '' };
  const payment = await carryPayment(deps.demands, input.paymentHeaders, demandPlace, { payBase, target: endpointUrl });
  const request = {
    target,
    message,
    methodOverride: input.method,
    extraHeaders: {
      ...headersForAgent(input.forwardedHeaders),
      ...payment.headers,
      ...(messageProtocol === 'mcp' && input.mcpSessionId !== null ? { 'mcp-session-id': input.mcpSessionId } : {}),
    },
    signal: context.signal,
    holdAnswer: async (bytes: number | null, waitMs: number): Promise<void> =>
      context.onOver(await deps.heldBytes.holdAnswer(caller, bytes, waitMs)),
  };
  const plan = planFor(deps, request);
  const call = await recordCall(started, plan, message, messageProtocol);
  const transactionId = call.exchange?.transactionId ?? null;
  annotateSpan({
    'registry.agent_id': agentId,
    ...(transactionId === null ? {} : { 'registry.transaction_id': transactionId }),
  });
  // By it the agent's own records can name the exchange.
  const named = transactionId === null ? {} : { 'x-registry-transaction-id': transactionId };

  let contacted: Contacted;
  const contactedAt = performance.now();
  try {
    contacted = await contactAgent(deps, { ...request, extraHeaders: { ...request.extraHeaders, ...named } }, plan);
    pass.answered();
  } catch (error) {
    pass.failed(error);
    throw await failCall(call, error);
  }

  const answeredAt = performance.now();
  // Before any part of the answer is passed on: by then its settlement is on record.
  const settledAt = await settleAnswer(
    deps,
    payment,
    contacted,
    {
      universe,
      receiverAgentId: agentId,
      callerAgentId: caller.agentId,
      callRef: transactionId,
      // An MCP `initialize` is no exchange, but its caller is authenticated.
      attribution: transactionId === null ? 'bearer' : 'call_ref',
      via: 'call',
    },
    { ...context, credentials: caller.credentials },
  );
  // One for the whole answer, so that equal texts have equal replacements.
  const redaction = redactionFor(endpointUrl, { base: payBase, url: payBase });
  const head = headOf(contacted, target, { transactionId, redaction });
  if (contacted.kind === 'events') {
    let end: AnsweredEnd = { position: null, isRecorded: true };
    const body = relayEvents(call, contacted, (known) => {
      end = known;
    });
    return { head: { ...head, streaming: true }, body, trailer: () => trailerOf(end, settledAt, null) };
  }

  const { statusCode, body } = contacted;
  const answer = { statusCode, responseDigest: hash('sha256', body), responseBytes: body.byteLength };
  const end = await endAnswered(call, answer);
  const fallbackAgentId = statusCode >= 500 ? await findFallback(call) : null;
  const trailer = trailerOf(end, settledAt, fallbackAgentId);
  const shown = shownAnswer(contacted, target, { streaming: plan.streaming, redaction });
  // When the call is over, its frames have copied what they carry.
  for (const bytes of [body, shown.body]) context.onOver(() => freeBody(bytes));
  if (statusCode === paymentRequired) {
    const { requirements } = redactDemand(contacted, redaction);
    await keepDemand(deps.demands, demandPlace, { statusCode, requirements }, redaction);
  }
  added.with({}).record(secondsSince(startedAt) - (answeredAt - contactedAt) / 1_000);
  return {
    head: {
      ...head,
      responseHeaders: {
        ...head.responseHeaders,
        ...(shown.isWithheld && shown.contentType !== null ? { 'content-type': shown.contentType } : {}),
      },
      streaming: plan.streaming,
      contentType: shown.contentType,
      bodyBytes: shown.body.byteLength,
      position: trailer.position,
    },
    body: once(shown.body),
    trailer: () => trailer,
  };
};

/** A reader that has reached the position sees the exchange's end, or if there is none, the settlement. */
const trailerOf = (end: AnsweredEnd, settledAt: bigint | null, fallbackAgentId: string | null): CallTrailer => {
  const position = end.position ?? settledAt;
  return { position: position?.toString() ?? null, fallbackAgentId, endIsRecorded: end.isRecorded };
};
