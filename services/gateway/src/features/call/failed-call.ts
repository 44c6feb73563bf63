import { DomainError } from '@agent-trust/contracts';
import { RpcRefusedError } from '@agent-trust/nats-rpc';
import { z } from 'zod';
import { untilReadable } from '../../bus/read-your-writes.ts';
import type { Gateway } from '../../gateway.ts';
import { toRefusal, HttpRefusal } from '../../http/error-answer.ts';
import { edgeLimits } from '../../limits.ts';
import { type CallParties, reviewReminder } from './call-response.ts';

const refusalData = z.object({
  transactionId: z.string().nullable().default(null),
  position: z.string().nullable().default(null),
  fallbackAgentId: z.string().nullable().optional(),
  outcome: z.enum(['completed', 'abandoned']).optional(),
  statusCode: z.number().int().nullable().default(null),
  retryAfterMs: z.number().default(0),
});
type RefusalData = z.output<typeof refusalData>;

const dataOf = (error: RpcRefusedError): RefusalData | null => refusalData.safeParse(error.data ?? {}).data ?? null;

const codesWithExchange: readonly string[] = [
  'downstream_failed',
  'call_already_made',
  'idempotency_key_in_use',
  'unavailable',
];

/** What a refusal says of the exchange that it left, or found; null for one without an exchange. */
export function exchangeOf(error: unknown): (RefusalData & { transactionId: string }) | null {
  if (!(error instanceof RpcRefusedError) || !codesWithExchange.includes(error.code)) return null;
  const data = dataOf(error);
  return data === null || data.transactionId === null ? null : { ...data, transactionId: data.transactionId };
}

/**
 * The error of a call or payment that a proxy did not send, because its agent has been failing or has as many as it gets: with
 * Retry-After, and an alternative to a failing agent. Null for any other error.
 */
export function refusedTarget(error: unknown): HttpRefusal | null {
  if (!(error instanceof RpcRefusedError)) return null;
  const { code } = error;
  if (code !== 'target_unavailable' && code !== 'target_busy') return null;
  const { retryAfterMs = 0, fallbackAgentId } = dataOf(error) ?? {};
  return new HttpRefusal(new DomainError(code, error.detail, { cause: error }), {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1_000))) },
    fields: fallbackAgentId === undefined ? {} : { fallback_suggestion: fallbackAgentId },
  });
}

/**
 * The error of a call whose agent could not be reached or broke off, or whose exchange is known though not its answer. It names the
 * exchange, is sent when readers see it, and says how to review it and which agent to call instead. A call that was not sent has none.
 */
export async function failedCall(gateway: Gateway, parties: CallParties, error: unknown): Promise<unknown> {
  const refused = refusedTarget(error);
  if (refused !== null) return refused;
  const refusal = toRefusal(error);
  if (!(error instanceof RpcRefusedError) || refusal === null) return error;
  const exchange = exchangeOf(error);
  const hasFailed = error.code === 'downstream_failed';
  if (exchange === null && !hasFailed) return error;
  const fields = {
    ...(exchange === null ? {} : exchangeFields(parties, exchange, hasFailed)),
    ...(hasFailed ? { fallback_suggestion: dataOf(error)?.fallbackAgentId ?? null } : {}),
  };
  if (exchange?.position != null) {
    const readable = untilReadable(gateway, exchange.position, fields);
    // Where readers are behind, the answer says that the write stands. An abandoned call has written nothing that stands.
    await (exchange.outcome === 'abandoned' ? readable.catch(ignoreBehind) : readable);
  }
  const headers =
    error.code === 'idempotency_key_in_use' ? { 'retry-after': String(edgeLimits.retryAfterSeconds) } : {};
  return new HttpRefusal(refusal, { fields, headers });
}

const ignoreBehind = (error: unknown): void => {
  if (!(error instanceof HttpRefusal) || error.code !== 'read_model_behind') throw error;
};

const exchangeFields = (
  parties: CallParties,
  { transactionId, outcome, statusCode }: RefusalData & { transactionId: string },
  hasFailed: boolean,
): Record<string, unknown> => {
  const review_reminder = reviewReminder(parties, transactionId, hasFailed ? null : statusCode);
  if (hasFailed) return { transaction_id: transactionId, review_reminder };
  if (outcome === undefined) return { transaction_id: transactionId };
  return { transaction_id: transactionId, outcome, status_code: statusCode, review_reminder };
};
