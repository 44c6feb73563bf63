import { DomainError, payViaUrl, relayBodySendMs, relayPayment as contract } from '@agent-trust/contracts';
import { RpcRefusal } from '@agent-trust/nats-rpc';
import {
  annotateSpan,
  type CarriedPayment,
  carryPayment,
  countingRefusals,
  enterTarget,
  failureReason,
  failureText,
  findTarget,
  isSuccess,
  noRoomText,
  once,
  type ProxyDeps,
  proxyLimits,
  redactionFor,
  serveOptions,
  settleAnswer,
} from '@agent-trust/proxy-kit';
import { isOwnLimit, joinedHeaders, OutboundError } from '@agent-trust/safe-fetch';
import type { Logger } from '@agent-trust/service-kit';
import type { z } from 'zod';
import { attribute } from './attribute.ts';
import { payLimits } from './limits.ts';
import type { PayContext, PayInput, Payment } from './payment.ts';
import { queryForAgent, sentBody, sentHeaders, targetUrl } from './sent-request.ts';
import { shownPayHeaders, unpaidAnswer } from './shown-answer.ts';

/** Serves `relay_payment` in the queue group of all pay-proxies. */
export async function servePayments(deps: ProxyDeps, requestsMax: number): Promise<undefined> {
  await deps.rpc.serveStream(
    contract,
    async (context, input, body, answer) => {
      const endings: (() => void)[] = [];
      const onOver = (end: () => void): void => void endings.push(end);
      try {
        await countingRefusals('payments', async () => {
          const relayed = await relayPayment(deps, input, body, { ...context, onOver });
          answer.head(relayed.head);
          for await (const chunk of relayed.body) await answer.write(chunk);
        });
      } catch (error) {
        throw relayFailure(error, deps.logger, context.correlationId);
      } finally {
        for (const end of endings) end();
      }
      return {};
    },
    serveOptions(requestsMax),
  );
}

const openPayment = async (deps: ProxyDeps, input: PayInput, context: PayContext): Promise<Payment> => {
  const payer = await attribute(deps.rpc, input, context);
  const { universe } = payer;
  const { agentId, callerAgentId } = input;
  const parties = { agentId, universe, caller: input.payer, callerAgentId };
  const target = await findTarget(deps, 'pay', parties, context.correlationId);
  const base = payViaUrl(deps.baseUrl, agentId);
  const payAddress = { base, url: input.query === '' ? base : `${base}?${input.query}` };
  const demandPlace = { agentId, orgId: target.orgId, universe, query: queryForAgent(input.query) };
  const redaction = redactionFor(target.endpointUrl, payAddress);
  return { deps, input, context, payer, target, payAddress, demandPlace, redaction };
};

/**
 * Relays one request to an agent and its answer back (contract: `relay_payment`). A settlement that the answer reports is on record before the
 * answer's head is passed on.
 *
 * @throws DomainError for mistakes of the payer, RpcRefusal `downstream_failed` if the agent did not answer, and whatever `enterTarget` throws.
 */
export async function relayPayment(
  deps: ProxyDeps,
  input: PayInput,
  body: AsyncIterable<Uint8Array>,
  context: PayContext,
): Promise<{ head: z.output<typeof contract.head>; body: AsyncIterable<Uint8Array> }> {
  const payment = await openPayment(deps, input, context);
  annotateSpan({ 'registry.agent_id': input.agentId });
  const { payer, target, payAddress, demandPlace, redaction } = payment;
  const url = targetUrl(target.endpointUrl, demandPlace.query);
  const pass = await enterTarget(deps.guard, {
    url: target.endpointUrl,
    agentId: input.agentId,
    // Proven by a key or by a call, as in the record.
    callerId: payer.callerAgentId,
    anonymousId: input.anonymousId,
  });
  // When the agent has the payer's whole body: its time begins.
  let sentAt: number | null = null;
  const onSent = (): void => {
    sentAt = performance.now();
  };
  try {
    const headers = sentHeaders(input.headers);
    const sent = await carryPayment(deps.demands, headers, demandPlace, { payBase: payAddress.base, target: url });
    if (!input.hasBody) onSent();
    const sentOn = input.hasBody ? await sentBody(body, input.headers['content-length'], onSent) : null;
    // A body that has arrived costs the payer no more time; the agent's time includes the connection.
    const headMs = deps.callTimeoutMs + (sentOn === null || sentOn instanceof Uint8Array ? 0 : relayBodySendMs);
    const headBy = performance.now() + headMs;
    const response = await deps.safeFetch(url, {
      method: input.method,
      headers: sent.headers,
      body: sentOn,
      signal: context.signal,
      onEnd: () => pass.leave(),
      timeouts: {
        headMs,
        headersMs: deps.callTimeoutMs,
        bodyIdleMs: deps.callTimeoutMs,
        totalMs: proxyLimits.streamTotalMs,
      },
      responseBodyBytesMax: deps.streamedAnswerBytesMax,
    });
    pass.answered();
    if (response.status > payLimits.statusMax) {
      response.body.cancel();
      throw new OutboundError('protocol', 'status');
    }
    const answer = { statusCode: response.status, headers: joinedHeaders(response.headers) };
    const head = { statusCode: answer.statusCode, attribution: payer.attribution, position: null };
    if (!isSuccess(answer.statusCode)) {
      // The rest of the agent's time. It is whole if the agent answers before it has the whole body, but `headBy` stands.
      const now = performance.now();
      const withinMs = Math.max(1, Math.floor(Math.min((sentAt ?? now) + deps.callTimeoutMs, headBy) - now));
      const shown = await unpaidAnswer(payment, { ...answer, body: response.body }, withinMs);
      return { head: { ...head, headers: shown.headers }, body: once(shown.body) };
    }
    const position = await settle(payment, answer, sent);
    const shown = shownPayHeaders(answer.headers, redaction);
    return { head: { ...head, headers: shown, position: position?.toString() ?? null }, body: response.body };
  } catch (error) {
    // An agent that still waits for the payer's body is not to blame for its silence.
    if (sentAt !== null) pass.failed(error);
    pass.leave();
    throw relayFailure(error, deps.logger, context.correlationId);
  }
}

const settle = (
  { deps, input, payer, context }: Payment,
  answer: { statusCode: number; headers: Record<string, string> },
  sent: CarriedPayment,
): Promise<bigint | null> => {
  const credentials = [
    ...(input.payer === null ? [] : ['agent_key']),
    ...(payer.attribution === 'call_ref' ? ['call_ref'] : []),
  ];
  const paid = { ...payer, receiverAgentId: input.agentId, via: 'pay' as const };
  return settleAnswer(deps, sent, answer, paid, { ...context, credentials });
};

/** The refusal of a payment whose agent did not answer; other errors, and faults of the payer's own body, as they are. */
export function relayFailure(error: unknown, logger: Logger, correlationId: string): unknown {
  if (!(error instanceof OutboundError)) return error;
  if (error.cause instanceof DomainError) return error.cause;
  if (isOwnLimit(error)) {
    logger.warn({ err: error, correlation_id: correlationId }, 'there was no room to send a payment');
    return new RpcRefusal('unavailable', noRoomText);
  }
  logger.info({ err: error, correlation_id: correlationId }, 'the paid agent did not answer');
  return new RpcRefusal('downstream_failed', failureText[failureReason(error)]);
}
