import type { executeCall as contract } from '@agent-trust/contracts';
import type { EventLog } from '@agent-trust/event-log';
import type { Rpc } from '@agent-trust/nats-rpc';
import type { TargetGuard } from '@agent-trust/safe-fetch';
import type { Logger } from '@agent-trust/service-kit';
import type { KeptDemands } from '@agent-trust/settlements';
import type { z } from 'zod';
import type { ContactDeps } from './contact-agent.ts';
import type { OpenExchange } from './exchange/exchange-record.ts';

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
  /** Has something done when the call is over, however it ends: its answer read to the end, broken off, or never there. */
  whenOver: (end: () => void) => void;
};

export type CallDeps = ContactDeps & {
  rpc: Rpc;
  log: EventLog;
  logger: Logger;
  guard: TargetGuard;
  fallbacks: FallbackCache;
  demands: KeptDemands;
  baseUrl: string;
  now: () => Date;
};

/** Fallback agents by the agent that was called. */
export type FallbackCache = { fallbackOf(call: Call): Promise<string | null> };

/** One call under way. */
export type Call = { deps: CallDeps; input: CallInput; context: CallContext };

/** A call whose exchange stands in the log; null for what is no exchange (an MCP `initialize`). */
export type RecordedCall = Call & { exchange: OpenExchange | null };
