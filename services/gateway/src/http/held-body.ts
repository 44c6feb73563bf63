import { BudgetFullError } from '@agent-trust/limits';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { CallerBytes, Holder } from '../concurrency/caller-limiter.ts';
import { edgeLimits } from '../limits.ts';
import { clientOf } from '../rate-limit/client-address.ts';
import { createPace, type Pace } from './pace.ts';

/** The bytes of a long body, counted from before it is read until its request is answered. */
export type HeldBody = {
  /** How fast it is read, with all others of its kind and of its address; null for those of organisations' agents. */
  readonly pace: Pace | null;
  /** Counts the body as one of so many bytes, when there is room for it. @throws DomainError overloaded */
  hold(bytes: number): Promise<void>;
  /** Counts it towards another caller: the one that has been identified. @throws DomainError overloaded */
  moveTo(holder: Holder): void;
};

export function isLongBody(bytes: number): boolean {
  return bytes > edgeLimits.shortBodyBytesMax;
}

/** Counts the long bodies of all routes that read theirs whole. Until its caller is known, a body counts towards its client's address. */
export function countLongBodies(app: FastifyInstance, budget: CallerBytes): void {
  app.decorateRequest('heldBody', null);
  const { bytesPerSecond, addressShareMax } = edgeLimits.longBodyPace;
  const withoutOrg = createPace(bytesPerSecond, addressShareMax);
  const unidentified = createPace(bytesPerSecond, addressShareMax);
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    if (coding !== undefined || isLongBody(Number(length ?? 0))) {
      const address = clientOf(request.ip);
      const holder = request.earlyPermit?.holder ?? { address };
      const paceOf = 'address' in holder ? unidentified : holder.orgId === null ? withoutOrg : null;
      const pace = paceOf?.(address) ?? null;
      request.heldBody = heldBody(budget, reply, holder, pace);
    }
    done();
  });
}

const heldBody = (budget: CallerBytes, reply: FastifyReply, first: Holder, pace: Pace | null): HeldBody => {
  let holder = first;
  let held = 0;
  let release = (): void => undefined;
  const keep = (acquired: () => void): void => {
    if (reply.raw.destroyed) acquired();
    else release = acquired;
  };
  reply.raw.once('close', () => release());
  return {
    pace,
    hold: async (bytes) => {
      held = bytes;
      if (isLongBody(bytes)) keep(await acquireInTurn(budget, holder, bytes));
    },
    moveTo: (next) => {
      holder = next;
      release();
      release = () => undefined;
      // It has been read: to wait would keep it for longer.
      if (isLongBody(held)) keep(budget.acquire(holder, held));
    },
  };
};

/** Room for a body, at once or when others have gone. @throws DomainError overloaded */
const acquireInTurn = async (budget: CallerBytes, holder: Holder, bytes: number): Promise<() => void> => {
  try {
    return budget.acquire(holder, bytes);
  } catch (refusal) {
    // Refused at once, an impatient client would be back at once, and take as long as one that is served.
    return budget.acquireInTurn(holder, bytes, edgeLimits.bodyWaitMs).catch((error: unknown) => {
      throw error instanceof BudgetFullError ? refusal : error;
    });
  }
};

declare module 'fastify' {
  interface FastifyRequest {
    heldBody: HeldBody | null;
  }
}
