import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { defineStream, defineUnary } from './method.ts';

/** For tests: part of a name that no other test has. */
export function uniqueSuffix(): string {
  return randomUUID().slice(0, 8);
}

/** For tests: a unary method, of a service of its own unless one is named, so that tests may run side by side. */
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
