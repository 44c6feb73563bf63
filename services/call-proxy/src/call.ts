import type { executeCall as contract } from '@agent-trust/contracts';
import type { ProxyDeps } from '@agent-trust/proxy-kit';
import type { z } from 'zod';
import type { OpenExchange } from './exchange/exchange-record.ts';
import type { HeldBytes } from './held-bytes.ts';
import type { A2aWireForms } from './request/a2a-wire-forms.ts';

export type CallInput = z.output<typeof contract.input>;

export type CallContext = {
  correlationId: string;
  traceparent: string | undefined;
  /** Aborts when the caller disconnects. */
  signal: AbortSignal;
  /** Registers a function to run when the call is over, whether its answer was read to the end, broke off, or never came. */
  onOver: (end: () => void) => void;
};

export type CallDeps = ProxyDeps & { fallbacks: FallbackCache; wireForms: A2aWireForms; heldBytes: HeldBytes };

export type FallbackCache = { fallbackOf(call: Call): Promise<string | null> };

export type Call = { deps: CallDeps; input: CallInput; context: CallContext };

/** A call whose exchange is in the log; null for a call that is no exchange (an MCP `initialize`). */
export type RecordedCall = Call & { exchange: OpenExchange | null };
