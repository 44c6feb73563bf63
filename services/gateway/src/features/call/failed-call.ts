import { DomainError } from '@agent-trust/contracts';
import { RpcRefusedError } from '@agent-trust/nats-rpc';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { untilReadable } from '../../bus/read-your-writes.ts';
import type { Gateway } from '../../gateway.ts';
import { toRefusal } from '../../http/error-answer.ts';
import { HttpRefusal } from '../../http/refusal.ts';
import { edgeLimits } from '../../limits.ts';
import { type CallParties, reviewReminder } from './call-response.ts';
import { refusedTarget } from './refused-target.ts';

const failureData = z.object({
  transactionId: z.string().nullable().default(null),
  position: z.string().nullable().default(null),
  fallbackAgentId: z.string().nullable().default(null),
});
export type FailedExchange = z.output<typeof failureData>;

/** What a refusal `downstream_failed` says of its exchange; null for any other error. */
export function failedExchange(error: unknown): FailedExchange | null {
  if (!(error instanceof RpcRefusedError) || error.code !== 'downstream_failed') return null;
  return failureData.safeParse(error.data ?? {}).data ?? null;
}

const codesWithExchange: readonly string[] = [
  'downstream_failed',
  'call_already_made',
  'idempotency_key_in_use',
  'unavailable',
];

const exchangeData = z.object({
  transactionId: z.string(),
  position: z.string().nullable().default(null),
  outcome: z.enum(['completed', 'abandoned']).optional(),
  statusCode: z.number().int().nullable().optional(),
});

/** What a refusal says of the exchange that it left, or found; null for one that knows of none. */
const exchangeIn = (error: unknown): z.output<typeof exchangeData> | null => {
  if (!(error instanceof RpcRefusedError) || !codesWithExchange.includes(error.code)) return null;
  return exchangeData.safeParse(error.data ?? {}).data ?? null;
};

/** Whether the call of a refused request, or one before it under the same key, has an exchange: then its agent may have been contacted. */
export function hasLeftExchange(error: unknown): boolean {
  return exchangeIn(error) !== null;
}

/**
 * The error of a call whose agent could not be reached or broke off. It is an exchange all the same, so the error tells its
 * transaction, is sent when readers see it, and says how to review it and whom to ask instead. A call that was not sent at all has none.
 */
export async function failedCall(
  gateway: Gateway,
  request: FastifyRequest,
  parties: CallParties,
  error: unknown,
): Promise<unknown> {
  const refused = refusedTarget(error);
  if (refused !== null) return refused;
  const exchange = failedExchange(error);
  if (!(error instanceof RpcRefusedError)) return error;
  if (exchange === null) return knownExchange(gateway, request, parties, error);
  const { transactionId, position, fallbackAgentId } = exchange;
  const fields = {
    ...(transactionId === null
      ? {}
      : { transaction_id: transactionId, review_reminder: reviewReminder(parties, transactionId, null) }),
    fallback_suggestion: fallbackAgentId,
  };
  if (position !== null) await untilReadable(gateway, request, position, fields);
  return new HttpRefusal(new DomainError('downstream_failed', error.detail, { cause: error }), { fields });
}

/** The error of a call whose exchange is known, though not its answer; or the error itself. */
const knownExchange = async (
  gateway: Gateway,
  request: FastifyRequest,
  parties: CallParties,
  error: RpcRefusedError,
): Promise<unknown> => {
  const exchange = exchangeIn(error);
  const refusal = toRefusal(error);
  if (exchange === null || refusal === null) return error;
  const { transactionId, position, outcome, statusCode } = exchange;
  const fields = {
    transaction_id: transactionId,
    ...(outcome === undefined
      ? {}
      : {
          outcome,
          status_code: statusCode ?? null,
          review_reminder: reviewReminder(parties, transactionId, statusCode ?? null),
        }),
  };
  if (position !== null) await untilReadable(gateway, request, position, fields);
  const headers =
    error.code === 'idempotency_key_in_use' ? { 'retry-after': String(edgeLimits.retryAfterSeconds) } : {};
  return new HttpRefusal(refusal, { fields, headers });
};
