import type { executeCall as contract } from '@agent-trust/contracts';
import type { EventLog } from '@agent-trust/event-log';
import type { Rpc } from '@agent-trust/nats-rpc';
import type { Logger } from '@agent-trust/service-kit';
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
};

export type CallDeps = ContactDeps & { rpc: Rpc; log: EventLog; logger: Logger; baseUrl: string; now: () => Date };

/** One call under way. */
export type Call = { deps: CallDeps; input: CallInput; context: CallContext };

/** A call whose exchange stands in the log; null for what is no exchange (an MCP `initialize`). */
export type RecordedCall = Call & { exchange: OpenExchange | null };
