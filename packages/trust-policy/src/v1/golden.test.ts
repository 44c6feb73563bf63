import { describe, expect, test } from 'vitest';
import { parseHistory } from '../history/history-line.ts';
import { TrustLedger } from '../ledger/trust-ledger.ts';
import { policyV1 } from '../policy/trust-policy.ts';
import { scoreDirect } from './direct.ts';
import golden from './golden/scores.json' with { type: 'json' };

// Each history isolates one term of the policy; `how` derives its score by hand. A separate implementation in another language computed the same
// values. A released policy never changes: if a value differs, either the code is wrong, or the change is policy v2 with its own golden file.
describe('golden scores of trust policy v1', () => {
  test('names no history twice', () => {
    expect(new Set(golden.histories.map(({ name }) => name)).size).toBe(golden.histories.length);
  });

  test.each(golden.histories)('$name', ({ history, expected }) => {
    const { prior, reviews } = parseHistory(JSON.stringify(history));
    const direct = scoreDirect(prior, reviews, policyV1);
    expect(Math.abs(direct.unrounded - expected.unrounded)).toBeLessThan(1e-9);
    expect(direct.score).toBe(expected.score);

    const ledger = new TrustLedger(policyV1);
    ledger.setPrior('agent', prior);
    for (const review of reviews) ledger.record('agent', review);
    const incremental = ledger.score('agent');
    expect(Math.abs(incremental.unrounded - expected.unrounded)).toBeLessThan(1e-9);
    expect(incremental.score).toBe(expected.score);
  });
});
