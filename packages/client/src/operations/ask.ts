import { readJson } from '../http/read-json.ts';
import type { Operation, Transport } from '../http/transport.ts';
import type { RequestOptions, WriteOptions } from '../options.ts';

/** Asks for one JSON answer. */
export function ask<Body>(transport: Transport, operation: Operation, options: RequestOptions = {}): Promise<Body> {
  return transport.send(operation, options, readJson<Body>(transport.answerBytesMax));
}

/** The same for an operation that takes an Idempotency-Key. */
export function write<Body>(
  transport: Transport,
  operation: Omit<Operation, 'repeat' | 'method'>,
  options: WriteOptions = {},
): Promise<Body> {
  return ask(
    transport,
    { ...operation, method: 'POST', repeat: 'with_key', idempotencyKey: options.idempotencyKey },
    options,
  );
}
