import type { EventLog, EventMetadata } from '@agent-trust/event-log';
import { type executeCall as contract, getFallbackAgent, type Universe } from '@agent-trust/contracts';
import { type Rpc, RpcRefusal } from '@agent-trust/nats-rpc';
import type { Logger } from '@agent-trust/service-kit';
import type { z } from 'zod';
import { createDigest } from './answer/agent-answer.ts';
import { headOf, shownAnswer } from './answer/shown-answer.ts';
import { failureReason, failureText } from './call-failure.ts';
import { type Contacted, type ContactDeps, contactAgent, planFor } from './contact-agent.ts';
import { type OpenExchange, openExchange } from './exchange/exchange-record.ts';
import { forwardableHeaders } from './headers/forwarded-headers.ts';
import { parseMessage } from './request/message.ts';
import type { OutboundPlan } from './request/plan.ts';
import { resolveTarget } from './resolve-target.ts';

export type CallInput = z.output<typeof contract.input>;
export type CallHead = z.output<typeof contract.head>;
export type CallTrailer = z.output<typeof contract.trailer>;

/** What goes back to the gateway: the head at once, then the body as it comes, then what can be said only at the end. */
export type CallAnswer = { head: CallHead; body: AsyncIterable<Uint8Array>; trailer: () => Promise<CallTrailer> };

export type CallContext = {
  correlationId: string;
  traceparent: string | undefined;
  /** Aborts when the caller has left. */
  signal: AbortSignal;
};

export type CallDeps = ContactDeps & { rpc: Rpc; log: EventLog; logger: Logger; baseUrl: string; now: () => Date };

const fallbackQueryTimeoutMs = 1_000;

/** A suggestion is a courtesy: when it cannot be had in time the answer goes without it. */
const findFallback = async (deps: CallDeps, input: CallInput, context: CallContext): Promise<string | null> => {
  try {
    const query = { agentId: input.agentId, universe: input.caller.universe };
    const options = { timeoutMs: fallbackQueryTimeoutMs, correlationId: context.correlationId };
    return (await deps.rpc.request(getFallbackAgent, query, options)).agentId;
  } catch (error) {
    deps.logger.warn({ err: error, correlation_id: context.correlationId }, 'no fallback agent could be looked up');
    return null;
  }
};

/** Writes the failure down and makes the refusal that the gateway turns into a 502. */
const failCall = async (
  deps: CallDeps,
  input: CallInput,
  context: CallContext,
  exchange: OpenExchange | null,
  error: unknown,
): Promise<RpcRefusal> => {
  const reason = failureReason(error);
  const position = exchange === null ? null : await exchange.fail(reason);
  deps.logger.info({ err: error, reason, correlation_id: context.correlationId }, 'the agent did not answer');
  const fallbackAgentId = reason === 'cancelled' ? null : await findFallback(deps, input, context);
  return new RpcRefusal('downstream_failed', failureText[reason], {
    data: {
      transactionId: exchange?.transactionId ?? null,
      position: position === null ? null : String(position),
      fallbackAgentId,
    },
  });
};

/** Opens the exchange, except for what is none. */
const openFor = async (
  deps: CallDeps,
  input: CallInput,
  context: CallContext,
  plan: OutboundPlan,
  messageBytes: Uint8Array,
  messageProtocol: 'a2a' | 'mcp' | 'raw',
): Promise<OpenExchange | null> => {
  if (!plan.isExchange) return null;
  const digest = createDigest();
  digest.add(messageBytes);
  const metadata: EventMetadata = {
    correlationId: context.correlationId,
    causationId: context.correlationId,
    actor: { kind: 'agent', id: input.caller.agentId },
    ...(context.traceparent === undefined ? {} : { traceparent: context.traceparent }),
  };
  const parties: { transactionId: string; callerAgentId: string; receiverAgentId: string; universe: Universe } = {
    transactionId: deps.newId(),
    callerAgentId: input.caller.agentId,
    receiverAgentId: input.agentId,
    universe: input.caller.universe,
  };
  const opening = {
    messageProtocol,
    httpMethod: plan.httpMethod,
    streaming: plan.streaming,
    requestDigest: digest.hex(),
    requestBytes: digest.bytes(),
  };
  return openExchange(deps, parties, opening, metadata);
};

/** Passes events on as they come and closes the record when they end, break off, or the caller leaves. */
async function* relayEvents(
  deps: CallDeps,
  input: CallInput,
  context: CallContext,
  exchange: OpenExchange | null,
  contacted: Contacted & { kind: 'events' },
  ended: (position: bigint | null) => void,
): AsyncGenerator<Uint8Array> {
  const digest = createDigest();
  let open = true;
  try {
    for await (const chunk of contacted.events) {
      digest.add(chunk);
      yield chunk;
    }
    open = false;
    const answer = { statusCode: contacted.statusCode, responseDigest: digest.hex(), responseBytes: digest.bytes() };
    ended(exchange === null ? null : await exchange.complete(answer));
  } catch (error) {
    if (!open) throw error;
    open = false;
    throw await failCall(deps, input, context, exchange, error);
  } finally {
    // Left by the reader, without an error: the caller is gone.
    if (open) await exchange?.fail('cancelled');
  }
}

async function* once(body: Uint8Array): AsyncGenerator<Uint8Array> {
  if (body.byteLength > 0) yield body;
}

/**
 * Carries one call to an agent (contract: `execute_call`). The exchange is durable before the agent is contacted and closed before
 * the answer's trailer; whatever dies in between, the log shows how far it got.
 *
 * @throws DomainError for what the caller did wrong, RpcRefusal `downstream_failed` when the agent did not answer,
 *   EventLogError when the record could not be written.
 */
export const executeCall = async (
  deps: CallDeps,
  input: CallInput,
  messageBytes: Uint8Array,
  context: CallContext,
): Promise<CallAnswer> => {
  const target = await resolveTarget(deps.rpc, input, context.correlationId);
  const message = parseMessage(messageBytes);
  const request = {
    target,
    message,
    methodOverride: input.method,
    extraHeaders: {
      ...forwardableHeaders(input.forwardedHeaders),
      ...input.paymentHeaders,
      ...(target.messageProtocol === 'mcp' && input.mcpSessionId !== null
        ? { 'mcp-session-id': input.mcpSessionId }
        : {}),
    },
    signal: context.signal,
  };
  const plan = planFor(deps, request);
  const exchange = await openFor(deps, input, context, plan, messageBytes, target.messageProtocol);

  let contacted: Contacted;
  try {
    contacted = await contactAgent(deps, request, plan);
  } catch (error) {
    throw await failCall(deps, input, context, exchange, error);
  }

  const head = headOf(contacted, target, { transactionId: exchange?.transactionId ?? null, baseUrl: deps.baseUrl });
  if (contacted.kind === 'events') {
    let position: bigint | null = null;
    const body = relayEvents(deps, input, context, exchange, contacted, (at) => {
      position = at;
    });
    const trailer = async (): Promise<CallTrailer> => ({
      position: position === null ? null : String(position),
      fallbackAgentId: null,
    });
    return { head: { ...head, streaming: true }, body, trailer };
  }

  const digest = createDigest();
  digest.add(contacted.body);
  const answer = { statusCode: contacted.statusCode, responseDigest: digest.hex(), responseBytes: digest.bytes() };
  const position = exchange === null ? null : await exchange.complete(answer);
  const fallbackAgentId = contacted.statusCode >= 500 ? await findFallback(deps, input, context) : null;
  const shown = shownAnswer(contacted, target, { streaming: plan.streaming, baseUrl: deps.baseUrl });
  return {
    head: { ...head, streaming: plan.streaming, contentType: shown.contentType },
    body: once(shown.body),
    trailer: async () => ({ position: position === null ? null : String(position), fallbackAgentId }),
  };
};
