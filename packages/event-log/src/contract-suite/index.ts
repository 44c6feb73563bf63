import { appendContract } from './append.ts';
import { idempotencyContract } from './idempotency.ts';
import { readContract } from './read.ts';
import { retentionContract } from './retention.ts';
import type { ContractSubject } from './subject.ts';
import { describe } from 'vitest';
import { subscriptionContract } from './subscription.ts';

export type { ContractSubject } from './subject.ts';

/** The contract of every event log, as vitest tests. `start` returns a running log; it may contain events already. */
export function eventLogContract(name: string, start: () => Promise<ContractSubject>): void {
  describe(`event log contract: ${name}`, () => {
    appendContract(start);
    idempotencyContract(start);
    readContract(start);
    subscriptionContract(start);
    retentionContract(start);
  });
}
