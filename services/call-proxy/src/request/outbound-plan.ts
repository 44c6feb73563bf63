import type { CallTarget } from '@agent-trust/contracts';
import type { OutboundMethod } from '@agent-trust/safe-fetch';

/** One outbound request, ready to be sent, before the caller's forwarded headers are laid under it. */
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

/** A target whose endpoint is known. */
export type RoutableTarget = CallTarget & { endpointUrl: string };

/** Wire forms of A2A: `superset` is read by 0.2, 0.3 and tolerant 1.0 servers, `1.0` by servers that know nothing older. */
export type A2aWireForm = 'superset' | '1.0';
