import type { z } from 'zod';

/** `supervisor` is the process of `npm start`; no other installation has one. */
export type ServiceName = 'gateway' | 'registry-write' | 'trust-projection' | 'call-proxy' | 'pay-proxy' | 'supervisor';

/** One request, one answer, over the bus: subject `rpc.<service>.<method>`. */
export type UnaryMethod<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  Service extends ServiceName = ServiceName,
> = { kind: 'unary'; service: Service; method: string; input: Input; output: Output };

/** One request with a body up; a head, a body and a trailer down. */
export type StreamMethod<
  Input extends z.ZodType = z.ZodType,
  Head extends z.ZodType = z.ZodType,
  Trailer extends z.ZodType = z.ZodType,
> = { kind: 'stream'; service: ServiceName; method: string; input: Input; head: Head; trailer: Trailer };

export function unary<Service extends ServiceName, Input extends z.ZodType, Output extends z.ZodType>(
  service: Service,
  method: string,
  shapes: { input: Input; output: Output },
): UnaryMethod<Input, Output, Service> {
  return { kind: 'unary', service, method, ...shapes };
}

export function stream<Input extends z.ZodType, Head extends z.ZodType, Trailer extends z.ZodType>(
  service: ServiceName,
  method: string,
  shapes: { input: Input; head: Head; trailer: Trailer },
): StreamMethod<Input, Head, Trailer> {
  return { kind: 'stream', service, method, ...shapes };
}
