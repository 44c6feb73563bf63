// Bug: what a review costs grows with the number of reviews. Method: counts, because times depend on the machine.
import { expect, test } from 'vitest';
import { policyV2 } from '../../policy/trust-policy-v2.ts';
import { HOUR_MS } from '../testing/random-log.ts';
import { TrustLedgerV2 } from '../ledger/trust-ledger-v2.ts';

const organisations = 20;

test('evidence and what a review changes of it depend on the roots, not on the number of reviews', () => {
  const ledger = new TrustLedgerV2(policyV2);
  ledger.apply({ type: 'registered', agent: 't', organisation: 'target', base: 75 });
  const changedRootsMax = { early: 0, late: 0 };
  const sizes: number[] = [];
  for (let index = 0; index < 4000; index += 1) {
    const organisation = `o${index % organisations}`;
    const agent = `${organisation}/${index % 400}`;
    if (index < 400) ledger.apply({ type: 'registered', agent, organisation, base: 75 });
    const changed = ledger.apply({
      type: 'reviewed',
      review: {
        id: String(index),
        receiver: 't',
        reviewer: { agent, organisation, orgDomain: null, trust: 75, roots: {} },
        reviewedAt: Date.UTC(2026, 0, 1) + index * HOUR_MS,
        success: true,
        score: 5 + (index % 6),
        inProduction: true,
      },
    });
    // The agent and the record; the organisation has never answered.
    expect(changed.map(({ subject }) => subject.kind)).toEqual(['agent', 'record']);
    const counts = changed.flatMap(({ changedRoots }) => changedRoots?.length ?? []);
    const half = index < 2000 ? 'early' : 'late';
    changedRootsMax[half] = Math.max(changedRootsMax[half], ...counts);
    if (index === 1000 || index === 3999) {
      const { sums } = ledger.account({ kind: 'agent', id: 't' }).evidence;
      sizes.push(sums.roots.length, ...sums.recent.map((reviews) => reviews.length));
    }
  }
  expect(sizes).toEqual(
    Array.from({ length: 2 }, () => [organisations, ...Array.from({ length: organisations }, () => 3)]).flat(),
  );
  // A review names one root; those of pairs whose reviews expire come besides, each review once.
  expect(changedRootsMax.late).toBeLessThanOrEqual(changedRootsMax.early + 1);
});
