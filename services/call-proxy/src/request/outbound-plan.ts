import type { OutboundMethod } from '@agent-trust/safe-fetch';

/** An outbound request, but for the caller's forwarded headers. */
export type OutboundPlan = {
  httpMethod: OutboundMethod;
  url: string;
  headers: Record<string, string>;
  body: Uint8Array | null;
  /** False only for an MCP `initialize`, which opens a session and exchanges nothing. */
  isExchange: boolean;
  /** The caller asked for server-sent events (`message/stream`). */
  streaming: boolean;
};

/** Wire forms of A2A: 0.2, 0.3 and tolerant 1.0 servers read `superset`; other 1.0 servers read only `1.0`. */
export type A2aWireForm = 'superset' | '1.0';
