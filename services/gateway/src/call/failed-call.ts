import { DomainError } from '@agent-trust/contracts';
import { RpcRefusedError } from '@agent-trust/nats-rpc';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { untilReadable } from '../bus/read-your-writes.ts';
import type { Gateway } from '../gateway.ts';
import { HttpRefusal } from '../http/refusal.ts';
import { type CallParties, reviewReminder } from './call-response.ts';
import { refusedTarget } from './refused-target.ts';

const failureData = z.object({
  transactionId: z.string().nullable().default(null),
  position: z.string().nullable().default(null),
  fallbackAgentId: z.string().nullable().default(null),
});
export type FailedExchange = z.output<typeof failureData>;

/** What a refusal `downstream_failed` says of its exchange; null for any other error. */
export const failedExchange = (error: unknown): FailedExchange | null => {
  if (!(error instanceof RpcRefusedError) || error.code !== 'downstream_failed') return null;
  return failureData.safeParse(error.data ?? {}).data ?? null;
};

/**
 * The error of a call whose agent could not be reached or broke off. It is an exchange all the same, so the error tells its
 * transaction, is sent when readers see it, and says how to review it and whom to ask instead. A call that was not sent at all has none.
 */
export const failedCall = async (
  gateway: Gateway,
  request: FastifyRequest,
  parties: CallParties,
  error: unknown,
): Promise<unknown> => {
  const refused = refusedTarget(error);
  if (refused !== null) return refused;
  const exchange = failedExchange(error);
  if (exchange === null || !(error instanceof RpcRefusedError)) return error;
  const { transactionId, position, fallbackAgentId } = exchange;
  const fields = {
    ...(transactionId === null
      ? {}
      : { transaction_id: transactionId, review_reminder: reviewReminder(parties, transactionId, false) }),
    fallback_suggestion: fallbackAgentId,
  };
  if (position !== null) await untilReadable(gateway, request, position, fields);
  return new HttpRefusal(new DomainError('downstream_failed', error.detail, { cause: error }), { fields });
};
