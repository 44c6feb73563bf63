import type { z, ZodType } from 'zod';
import type { JsonValue } from './json.ts';

/**
 * A call with one answer. Plain data, so that a contracts package can declare methods without importing this one. `service` and `method` are single
 * NATS subject tokens; the schemas describe the JSON on the wire.
 */
export type UnaryMethod<Input extends ZodType = ZodType, Output extends ZodType = ZodType> = {
  readonly kind: 'unary';
  readonly service: string;
  readonly method: string;
  readonly input: Input;
  readonly output: Output;
};

/**
 * A call whose answer is a head, then bytes, then a trailer; the request may have a body of bytes, too. Without a schema the trailer is any JSON
 * value.
 */
export type StreamMethod<
  Input extends ZodType = ZodType,
  Head extends ZodType = ZodType,
  Trailer extends ZodType = ZodType,
> = {
  readonly kind: 'stream';
  readonly service: string;
  readonly method: string;
  readonly input: Input;
  readonly head: Head;
  readonly trailer?: Trailer;
};

/** What a handler returns as the trailer of a streaming method. */
export type SentTrailer<Method extends StreamMethod> = Method extends {
  readonly trailer: infer Trailer extends ZodType;
}
  ? Sent<Trailer>
  : JsonValue | void;

/** What the opener gets as the trailer. */
export type ReceivedTrailer<Method extends StreamMethod> = Method extends {
  readonly trailer: infer Trailer extends ZodType;
}
  ? Received<Trailer>
  : JsonValue;

/**
 * What the sending side passes: the schema's input type, so that defaults may be left out. A schema annotated as `ZodType<T>` has lost its input
 * type; `T` itself is required there.
 */
export type Sent<Schema extends ZodType> = unknown extends z.input<Schema> ? z.output<Schema> : z.input<Schema>;

/** What the receiving side gets after parsing. */
export type Received<Schema extends ZodType> = z.output<Schema>;

/** Declares a unary method. A plain object of the same shape works, too. */
export function defineUnary<Input extends ZodType, Output extends ZodType>(
  definition: Omit<UnaryMethod<Input, Output>, 'kind'>,
): UnaryMethod<Input, Output> {
  return { kind: 'unary', ...definition };
}

/** Declares a streaming method. A plain object of the same shape works, too. */
export function defineStream<const Definition extends Omit<StreamMethod, 'kind'>>(
  definition: Definition,
): Definition & { readonly kind: 'stream' } {
  return { kind: 'stream', ...definition };
}
