import { DomainError } from '@agent-trust/contracts';
import { RpcRefusedError } from '@agent-trust/nats-rpc';
import { z } from 'zod';
import { HttpRefusal } from '../../http/refusal.ts';

const codes = ['target_unavailable', 'target_busy'] as const;

const refusalData = z.object({
  retryAfterMs: z.number().default(0),
  fallbackAgentId: z.string().nullable().optional(),
});

/**
 * The error of a call or payment that a proxy did not send, because its agent has been failing or has as many as it gets: with
 * Retry-After, and whom to ask instead of one that fails. Null for any other error.
 */
export function refusedTarget(error: unknown): HttpRefusal | null {
  if (!(error instanceof RpcRefusedError)) return null;
  const code = codes.find((known) => known === error.code);
  if (code === undefined) return null;
  const { retryAfterMs, fallbackAgentId } = refusalData.parse(error.data ?? {});
  return new HttpRefusal(new DomainError(code, error.detail, { cause: error }), {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1_000))) },
    fields: fallbackAgentId === undefined ? {} : { fallback_suggestion: fallbackAgentId },
  });
}
