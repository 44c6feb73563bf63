import { readJson } from '../http/read-json.ts';
import type { Operation, Transport } from '../http/transport.ts';
import type { RequestOptions, WriteOptions } from '../options.ts';

/** Asks for one JSON answer. */
export const ask = <Body>(transport: Transport, operation: Operation, options: RequestOptions = {}): Promise<Body> =>
  transport.send(operation, options, readJson<Body>(transport.answerBytesMax));

/** The same for an operation that takes an Idempotency-Key. */
export const write = <Body>(
  transport: Transport,
  operation: Omit<Operation, 'repeat' | 'method'>,
  options: WriteOptions = {},
): Promise<Body> =>
  ask(transport, { ...operation, method: 'POST', repeat: 'with_key', idempotencyKey: options.idempotencyKey }, options);
