import type { FastifyInstance, FastifyReply } from 'fastify';
import type { CallerBytes, Holder } from '../concurrency/caller-limiter.ts';
import { edgeLimits } from '../limits.ts';
import { clientOf } from '../rate-limit/client-address.ts';

/** The bytes of a long body, counted from before it is read until its request is answered. */
export type HeldBody = {
  /** Counts the body as one of so many bytes. @throws DomainError overloaded */
  hold(bytes: number): void;
  /** Counts it towards another caller: the one that has been identified. @throws DomainError overloaded */
  moveTo(holder: Holder): void;
};

export function isLongBody(bytes: number): boolean {
  return bytes > edgeLimits.shortBodyBytesMax;
}

/** Counts the long bodies of all routes that read theirs whole. Until its caller is known, a body counts towards its client's address. */
export function countLongBodies(app: FastifyInstance, budget: CallerBytes): void {
  app.decorateRequest('heldBody', null);
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    if (coding !== undefined || isLongBody(Number(length ?? 0))) {
      request.heldBody = heldBody(budget, reply, request.earlyPermit?.holder ?? { address: clientOf(request.ip) });
    }
    done();
  });
}

const heldBody = (budget: CallerBytes, reply: FastifyReply, first: Holder): HeldBody => {
  let holder = first;
  let held = 0;
  let release = (): void => undefined;
  const count = (bytes: number): void => {
    release();
    release = () => undefined;
    held = bytes;
    if (!isLongBody(bytes) || reply.raw.destroyed) return;
    release = budget.acquire(holder, bytes);
  };
  reply.raw.once('close', () => release());
  return {
    hold: count,
    moveTo: (next) => {
      holder = next;
      count(held);
    },
  };
};

declare module 'fastify' {
  interface FastifyRequest {
    heldBody: HeldBody | null;
  }
}
