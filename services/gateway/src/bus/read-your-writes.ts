import { DomainError } from '@agent-trust/contracts';
import { NotVisibleError } from '@agent-trust/edge-replica/bus';
import {
  type Received,
  RpcError,
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
import { ask, command } from './ask.ts';

/** Fields that exist only in this answer: a key or link of which only a hash is stored. */
export type Unrepeatable = Record<string, unknown>;

/**
 * Waits until all readers see the write at `position`, at most READ_MODEL_WAIT_MS. @throws HttpRefusal read_model_behind, with
 * `unrepeatable`.
 */
export async function untilReadable(
  gateway: Pick<Gateway, 'replica' | 'settings'>,
  position: string,
  unrepeatable: Unrepeatable = {},
): Promise<void> {
  const timeoutMs = gateway.settings.READ_MODEL_WAIT_MS;
  await gateway.replica.untilVisible(BigInt(position), timeoutMs).catch(writeStands(unrepeatable));
}

/** Asks a query that must see the write at `position`; saves the extra trip of `untilReadable`. */
export function askAfter<Method extends UnaryMethod>(
  gateway: Gateway,
  request: FastifyRequest,
  position: string,
  method: Method,
  input: Sent<Method['input']> & object,
  unrepeatable: Unrepeatable = {},
): Promise<Received<Method['output']>> {
  const timeoutMs = gateway.settings.READ_MODEL_WAIT_MS + edgeLimits.readModelMarginMs;
  return ask(gateway, request, method, { ...input, atLeast: position }, timeoutMs).catch(writeStands(unrepeatable));
}

const writeStands =
  (fields: Unrepeatable) =>
  (error: unknown): never => {
    if (!(error instanceof RpcError || error instanceof NotVisibleError)) throw error;
    const refusal = new DomainError(
      'read_model_behind',
      'the write is durable and stands, but readers may not see it yet: do not repeat it, read again in a moment',
      { cause: error },
    );
    throw new HttpRefusal(refusal, { fields });
  };

/**
 * Has a command carried out, waits until all readers see what it wrote, and returns the answer to it.
 *
 * @param issued `fields`, such as a new key, exist only in this answer. Their owner gets them even if nobody knows whether the command was
 *   carried out, with `advice` on what to do: keeping them back could lock the owner out for good. `whileBehind` is in the body of
 *   read_model_behind; the whole answer unless given.
 * @throws HttpRefusal unavailable and read_model_behind, with what was issued in the body.
 */
export async function write<Method extends UnaryMethod, Answer extends Record<string, unknown>>(
  gateway: Gateway,
  request: FastifyRequest,
  method: Method,
  input: Sent<Method['input']>,
  answerOf: (written: Received<Method['output']>) => Answer,
  issued?: { fields: Unrepeatable; advice: string; whileBehind?: Unrepeatable },
): Promise<Answer> {
  const written = await command(gateway, request, method, input).catch((error: unknown) => {
    if (issued === undefined || !mayHaveHappened(error)) throw error;
    throw new HttpRefusal(new DomainError('unavailable', issued.advice, { cause: error }), { fields: issued.fields });
  });
  const answer = answerOf(written);
  // Until then some gateway may still accept a replaced key.
  const { position } = written as { position: string };
  await untilReadable(gateway, position, issued === undefined ? {} : (issued.whileBehind ?? answer));
  return answer;
}

export const keepBothKeys = 'it is not known whether the key was replaced: keep both, one of them works';

/** Whether a command may have been carried out although it ended with this error. */
const mayHaveHappened = (error: unknown): boolean => {
  // What a service reports if the event log does not answer in time.
  if (error instanceof RpcRefusedError) return error.code === 'unavailable';
  if (error instanceof RpcUnavailableError) return error.outcomeUnknown;
  return error instanceof RpcTimeoutError || error instanceof RpcInternalError || error instanceof RpcProtocolError;
};
