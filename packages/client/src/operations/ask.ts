import { pathSegment } from '../http/request-parts.ts';
import { readJson } from '../http/read-json.ts';
import type { Operation, Transport } from '../http/transport.ts';
import type { RequestOptions, WriteOptions } from '../options.ts';

type Request = Omit<Operation, 'method' | 'repeat'>;

/** Sends a request whose answer is JSON. */
export function ask<Body>(transport: Transport, operation: Operation, options: RequestOptions = {}): Promise<Body> {
  return transport.send(operation, options, readJson<Body>(transport.answerBytesMax));
}

/** A GET, which may be repeated. */
export function get<Body>(transport: Transport, operation: Request, options: RequestOptions = {}): Promise<Body> {
  return ask(transport, { ...operation, method: 'GET', repeat: 'always' }, options);
}

/** A POST that may be repeated: it only reads, or does nothing a second time. */
export function repeatable<Body>(
  transport: Transport,
  operation: Request,
  options: RequestOptions = {},
): Promise<Body> {
  return ask(transport, { ...operation, method: 'POST', repeat: 'always' }, options);
}

/** A POST that is never sent twice. */
export function post<Body>(transport: Transport, operation: Request, options: RequestOptions = {}): Promise<Body> {
  return ask(transport, { ...operation, method: 'POST', repeat: 'never' }, options);
}

/** A POST that takes an Idempotency-Key. */
export function write<Body>(transport: Transport, operation: Request, options: WriteOptions = {}): Promise<Body> {
  const { idempotencyKey } = options;
  return ask(transport, { ...operation, method: 'POST', repeat: 'with_key', idempotencyKey }, options);
}

/**
 * The path of an operation with the values in place of its parameters, in order, and its name in errors.
 *
 * @throws TypeError for a value that no path can hold.
 */
export function pathOf(name: string, ...values: readonly string[]): { path: string; name: string } {
  const segments = values.map(pathSegment).values();
  return { name, path: name.replaceAll(/\{\w+\}/gu, () => segments.next().value ?? '') };
}
