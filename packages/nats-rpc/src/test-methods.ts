import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { defineStream, defineUnary } from './method.ts';

/** For tests: a part of a name that no other test uses. */
export function uniqueSuffix(): string {
  return randomUUID().slice(0, 8);
}

/** For tests: a unary method, by default of a new service, so that tests can run in parallel. */
export function echoMethod(service = `echo-${uniqueSuffix()}`, method = 'echo') {
  return defineUnary({
    service,
    method,
    input: z.object({ text: z.string() }),
    output: z.object({ text: z.string() }),
  });
}

/** For tests: a streaming method. */
export function bytesMethod(service = `bytes-${uniqueSuffix()}`, method = 'bytes') {
  return defineStream({
    service,
    method,
    input: z.object({ size: z.number().default(0) }),
    head: z.object({ status: z.number() }),
    trailer: z.object({ received: z.number() }),
  });
}
