import { DomainError, waitForPosition } from '@agent-trust/contracts';
import { RpcError, type Received, type Sent, type UnaryMethod } from '@agent-trust/nats-rpc';
import type { FastifyRequest } from 'fastify';
import type { Gateway } from '../gateway.ts';
import { HttpRefusal } from '../http/refusal.ts';
import { edgeLimits } from '../limits.ts';
import { ask } from './ask.ts';

/** Fields that a client would lose for good with the answer: a key or link of which only a hash is stored. */
export type Unrepeatable = Record<string, unknown>;

/**
 * Waits until every reader sees the write at `position`, at most READ_MODEL_WAIT_MS.
 *
 * @throws HttpRefusal read_model_behind, with the text that the write stands and with `unrepeatable` in the body.
 */
export async function untilReadable(
  gateway: Gateway,
  request: FastifyRequest,
  position: string,
  unrepeatable: Unrepeatable = {},
): Promise<void> {
  const timeoutMs = gateway.settings.READ_MODEL_WAIT_MS;
  try {
    await ask(gateway, request, waitForPosition, { position, timeoutMs }, timeoutMs + edgeLimits.readModelMarginMs);
  } catch (error) {
    throw writeStands(error, unrepeatable);
  }
}

/** Asks a query that must see the write at `position`; saves the extra trip of `untilReadable`. */
export async function askAfter<Method extends UnaryMethod>(
  gateway: Gateway,
  request: FastifyRequest,
  position: string,
  method: Method,
  input: Sent<Method['input']> & object,
  unrepeatable: Unrepeatable = {},
): Promise<Received<Method['output']>> {
  const timeoutMs = gateway.settings.READ_MODEL_WAIT_MS + edgeLimits.readModelMarginMs;
  try {
    return await ask(gateway, request, method, { ...input, atLeast: position }, timeoutMs);
  } catch (error) {
    throw writeStands(error, unrepeatable);
  }
}

const writeStands = (error: unknown, unrepeatable: Unrepeatable): unknown => {
  if (!(error instanceof RpcError)) return error;
  const refusal = new DomainError(
    'read_model_behind',
    'the write is durable and stands, but readers may not see it yet: do not repeat it, read again in a moment',
    { cause: error },
  );
  return new HttpRefusal(refusal, { fields: unrepeatable });
};
