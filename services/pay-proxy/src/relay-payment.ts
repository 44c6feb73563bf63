import { payViaUrl, relayBodySendMs } from '@agent-trust/contracts';
import { joinedHeaders, OutboundError } from '@agent-trust/safe-fetch';
import { type CarriedPayment, carryPayment, settleAnswer } from '@agent-trust/settlements';
import { createRedaction } from '@agent-trust/x402';
import { attribute } from './attribute.ts';
import { payLimits } from './limits.ts';
import type { PayContext, PayDeps, PayHead, PayInput, Payment } from './payment.ts';
import { relayFailure } from './relay-failure.ts';
import { shownHeaders, unpaid } from './shown-answer.ts';
import { queryForAgent, sentBody, sentHeaders, targetUrl } from './sent-request.ts';
import { enterTarget, resolveEndpoint } from './target.ts';

/** What goes back to the gateway: the head at once, then the body as it comes. */
export type PayAnswer = { head: PayHead; body: AsyncIterable<Uint8Array> };

async function* once(body: Uint8Array): AsyncGenerator<Uint8Array> {
  if (body.byteLength > 0) yield body;
}

const openPayment = async (deps: PayDeps, input: PayInput, context: PayContext): Promise<Payment> => {
  const payer = await attribute(deps.rpc, input, context);
  const { endpointUrl, orgId } = await resolveEndpoint(deps.rpc, input, payer, context);
  const base = payViaUrl(deps.baseUrl, input.agentId);
  const payAddress = { base, url: input.query === '' ? base : `${base}?${input.query}` };
  const demandPlace = { agentId: input.agentId, orgId, universe: payer.universe, query: queryForAgent(input.query) };
  const redaction = createRedaction(endpointUrl, payAddress);
  return { deps, input, context, payer, endpointUrl, payAddress, demandPlace, redaction };
};

/** What is left of the agent's time for its answer; all of it where it answers before it has the whole body, but no more than until `headBy`. */
const agentsTimeLeftMs = ({ callTimeoutMs }: PayDeps, agentsTurnAt: number | null, headBy: number): number => {
  const now = performance.now();
  return Math.max(1, Math.floor(Math.min((agentsTurnAt ?? now) + callTimeoutMs, headBy) - now));
};

/**
 * Relays one request to an agent and its answer back (contract: `relay_payment`). A settlement that the answer tells of is on record
 * before the answer's head is passed on.
 *
 * @throws DomainError for what the payer did wrong, RpcRefusal `downstream_failed` when the agent did not answer, and what `enterTarget`
 *   throws when it is not tried now.
 */
export async function relayPayment(
  deps: PayDeps,
  input: PayInput,
  body: AsyncIterable<Uint8Array>,
  context: PayContext,
): Promise<PayAnswer> {
  const payment = await openPayment(deps, input, context);
  const { payer, payAddress, demandPlace, redaction } = payment;
  const url = targetUrl(payment.endpointUrl, demandPlace.query);
  const pass = enterTarget(payment);
  // The agent's time begins when it has the payer's body; null until then.
  let agentsTurnAt: number | null = null;
  const beginAgentsTurn = (): void => {
    agentsTurnAt = performance.now();
  };
  try {
    const headers = sentHeaders(input.headers);
    const sent = await carryPayment(deps.demands, headers, demandPlace, { payBase: payAddress.base, target: url });
    if (!input.hasBody) beginAgentsTurn();
    const sentOn = input.hasBody ? await sentBody(body, input.headers['content-length'], beginAgentsTurn) : null;
    // A body that is here already takes the payer no more time, and the agent's includes reaching it.
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
        totalMs: payLimits.answerTotalMs,
      },
      responseBodyBytesMax: payLimits.streamedAnswerBytesMax,
    });
    pass.answered();
    if (response.status > payLimits.statusMax) {
      response.body.cancel();
      throw new OutboundError('protocol', 'status');
    }
    const answer = { statusCode: response.status, headers: joinedHeaders(response.headers) };
    const head = { statusCode: answer.statusCode, attribution: payer.attribution };
    if (answer.statusCode < 200 || answer.statusCode > 299) {
      const withinMs = agentsTimeLeftMs(deps, agentsTurnAt, headBy);
      const shown = await unpaid(payment, { ...answer, body: response.body }, withinMs);
      return { head: { ...head, headers: shown.headers, position: null }, body: once(shown.body) };
    }
    const position = await settle(payment, answer, sent);
    return {
      head: {
        ...head,
        headers: shownHeaders(answer.headers, redaction),
        position: position === null ? null : String(position),
      },
      body: response.body,
    };
  } catch (error) {
    // An agent that still waits for the payer's body is not to blame for its silence.
    if (agentsTurnAt !== null) pass.failed(error);
    pass.leave();
    throw relayFailure(error, deps.logger, context.correlationId);
  }
}

/** Records the settlement that an answer tells of, if it does. Answers its log position; null where nothing was recorded. */
function settle(
  { deps, input, payer, context }: Payment,
  answer: { statusCode: number; headers: Record<string, string> },
  sent: CarriedPayment,
): Promise<bigint | null> {
  const { universe, callerAgentId, callRef, attribution } = payer;
  const paid = { universe, receiverAgentId: input.agentId, callerAgentId, callRef, attribution };
  const credentials = [
    ...(input.payer === null ? [] : ['agent_key']),
    ...(attribution === 'call_ref' ? ['call_ref'] : []),
  ];
  return settleAnswer(deps, sent, answer, { ...paid, via: 'pay' }, { ...context, credentials });
}
