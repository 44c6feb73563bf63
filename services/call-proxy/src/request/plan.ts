import type { CallTarget } from '@agent-trust/contracts';
import type { OutboundMethod } from '@agent-trust/safe-fetch';
import { planA2aCompliant } from './a2a-compliant.ts';
import { planMcp } from './mcp.ts';
import { planPlain } from './plain.ts';
import { planRaw } from './raw.ts';

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

/**
 * Turns a caller's message into the request that the target's kind expects (decisions, section 8).
 * Refuses with `invalid_message` and the path of the fault when the message does not have the shape of that kind.
 */
export function planRequest(
  target: RoutableTarget,
  message: Uint8Array,
  options: { methodOverride: 'GET' | 'POST' | null; a2aWireForm: A2aWireForm; newId: () => string },
): OutboundPlan {
  switch (target.messageProtocol) {
    case 'a2a':
      return target.a2aCompliant
        ? planA2aCompliant(target, message, options)
        : planPlain(target, message, options.methodOverride);
    case 'mcp':
      return planMcp(target, message);
    case 'raw':
      return planRaw(target, message);
    default:
      return target.messageProtocol satisfies never;
  }
}
