import { DomainError, waitForPosition } from '@agent-trust/contracts';
import {
  RpcError,
  type Received,
  type Sent,
  type UnaryMethod,
  RpcInternalError,
  RpcProtocolError,
  RpcRefusedError,
  RpcTimeoutError,
  RpcUnavailableError,
} from '@agent-trust/nats-rpc';
import type { FastifyRequest } from 'fastify';
import type { Gateway } from '../gateway.ts';
import { HttpRefusal } from '../http/error-answer.ts';
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

/** Whether a command may have been carried out although it ended with this error. */
function mayHaveHappened(error: unknown): boolean {
  // The service's own word for an event log that did not answer in time.
  if (error instanceof RpcRefusedError) return error.code === 'unavailable';
  if (error instanceof RpcUnavailableError) return error.outcomeUnknown;
  return error instanceof RpcTimeoutError || error instanceof RpcInternalError || error instanceof RpcProtocolError;
}

/**
 * For what only this answer can bring, such as a new key: when nobody knows whether the command was carried out, its owner gets it all the
 * same. To keep it back could lock the owner out for good.
 *
 * @param advice What the owner does with it.
 * @throws HttpRefusal unavailable, with `issued` in the body; or the error itself, when nothing was written.
 */
export function issuedAnyway(issued: Unrepeatable, advice: string) {
  return (error: unknown): never => {
    if (!mayHaveHappened(error)) throw error;
    throw new HttpRefusal(new DomainError('unavailable', advice, { cause: error }), { fields: issued });
  };
}

export const keepBothKeys = 'it is not known whether the key was replaced: keep both, one of them works';
