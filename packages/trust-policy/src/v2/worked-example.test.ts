// The examples of the policy's text, to all digits that it gives. Established organisations are set as such: how one becomes established is another test.
import { describe, expect, test } from 'vitest';
import { parsePolicyV2 } from '../policy/parse-policy.ts';
import { policyV2 } from '../policy/trust-policy-v2.ts';
import { scoreDirect } from '../v1/direct.ts';
import { policyV1 } from '../policy/trust-policy.ts';
import { DirectLog } from './direct/direct-log.ts';
import { viewOfEntries } from './direct/direct-view.ts';
import type { Entry } from './entry.ts';
import { explainAgent, explainRecord } from './explain.ts';
import { viewOf } from './incremental/evidence-view.ts';
import { TrustLedgerV2 } from './ledger/trust-ledger-v2.ts';
import { recordOf } from './organisation-record.ts';
import { rulesOfV2 } from './rules.ts';
import type { TrustEvent } from './trust-event.ts';
import { agentExample, recordExample } from './testing/example-events.ts';

const rules = rulesOfV2(policyV2);
const withAnchors = parsePolicyV2({
  ...policyV2,
  name: 'with-anchors',
  constants: { ...policyV2.constants, anchors: ['alpha', 'beta', 'gamma'] },
});

describe('the worked example', () => {
  const ledger = new TrustLedgerV2(withAnchors);
  const log = new DirectLog(withAnchors);
  for (const event of agentExample) {
    ledger.apply(event);
    log.apply(event);
  }
  const view = viewOf(ledger.account({ kind: 'agent', id: 't' }).evidence, rulesOfV2(withAnchors));
  const explained = explainAgent(view, { base: 40, organisation: null }, rulesOfV2(withAnchors));
  const digits = (value: number): string => value.toFixed(4);

  test('has the score and the parts of the text', () => {
    expect(explained.score).toBe(64);
    expect(log.verdict('t').score).toBe(64);
    expect(digits(explained.unrounded)).toBe('64.3517');
    const rows = explained.contributions.map((line) => {
      switch (line.kind) {
        case 'prior':
          return ['prior', digits(line.weight), digits(line.mean), digits(line.points)];
        case 'third_voice':
          return [`third voice: ${line.root}`, digits(line.voice), digits(line.points)];
        case 'root':
          return [line.root, digits(line.weight), digits(line.cappedWeight), digits(line.mean), digits(line.points)];
        default:
          return [line.kind, digits(line.points)];
      }
    });
    expect(rows).toEqual([
      ['prior', '5.0000', '0.4000', '24.6759'],
      ['third voice: gamma', '0.2558', '4.7338'],
      ['alpha', '1.1028', '1.1028', '0.8889', '12.0949'],
      ['beta', '0.5957', '0.5957', '1.0000', '7.3497'],
      ['gamma', '0.6771', '0.6771', '0.7778', '6.4974'],
      ['newco', '1.2373', '0.7295', '1.0000', '9.0000'],
    ]);
    expect(explained.contributions.reduce((sum, { points }) => sum + points, 0)).toBe(explained.unrounded);
    expect(digits(explained.confidence.evidenceWeight)).toBe('3.1051');
    expect(explained.confidence).toMatchObject({ roots: 4, interval: [38.2, 90.5] });
  });

  test('is 62 by v1', () => {
    const reviews = agentExample.flatMap((event) => {
      if (event.type !== 'reviewed') return [];
      const { reviewer, ...review } = event.review;
      return [
        { ...review, reviewer: reviewer.agent, trust: reviewer.trust, roots: { [reviewer.organisation ?? '']: 1 } },
      ];
    });
    expect(scoreDirect(40, reviews, policyV1).score).toBe(62);
  });
});

describe("the record's example", () => {
  const recordsBy = (apply: (event: TrustEvent) => void, record: () => number): number[] =>
    recordExample.map((event) => {
      apply(event);
      return record();
    });
  const anchored = parsePolicyV2({
    ...policyV2,
    name: 'anchored',
    constants: { ...policyV2.constants, anchors: ['alpha', 'beta'] },
  });

  test('is 75, 65 and 55 after its three reviews, in both forms', () => {
    const ledger = new TrustLedgerV2(anchored);
    const log = new DirectLog(anchored);
    const [first, second, third] = recordsBy(
      (event) => ledger.apply(event),
      () => ledger.record('zeta'),
    ).slice(-3);
    expect([first, second, third]).toEqual([75, 65, 55]);
    expect(
      recordsBy(
        (event) => log.apply(event),
        () => log.record('zeta'),
      ).slice(-3),
    ).toEqual([75, 65, 55]);
    ledger.apply({ type: 'registered', agent: 'zeta/next-year', organisation: 'zeta', base: 75 });
    expect(ledger.verdict('zeta/next-year').score).toBe(55);
  });

  test('has the pulls, the weights and the average of the text', () => {
    const ledger = new TrustLedgerV2(anchored);
    const unrounded = recordExample.map((event) => {
      ledger.apply(event);
      return recordOf(ledger.account({ kind: 'record', id: 'zeta' }).view(), rulesOfV2(anchored)).unrounded;
    });
    expect(unrounded.slice(-2).map((value) => value.toFixed(3))).toEqual(['68.550', '55.608']);
    const view = ledger.account({ kind: 'record', id: 'zeta' }).view();
    const explained = explainRecord(view, rulesOfV2(anchored));
    expect(explained.leftOut).toBe('alpha');
    const roots = explained.contributions.flatMap((line) =>
      line.kind === 'root' ? [[line.root, line.weight.toFixed(4), line.cappedWeight.toFixed(4)]] : [],
    );
    expect(roots).toEqual([
      ['beta', '1.1700', '1.1700'],
      ['newco', '1.1164', '0.6102'],
    ]);
  });
});

test('a record of one root is 75, whatever it says: no organisation can stain another alone', () => {
  const slander: Entry = {
    reviewedAt: 0,
    reviewer: 'a1',
    roots: { alpha: 1 },
    trust: 100,
    success: false,
    score: 1,
    own: { organisation: 'alpha', isEstablished: true },
  };
  const view = viewOfEntries(
    Array.from({ length: 50 }, (_, index) => ({ ...slander, reviewer: `a${index}` })),
    rules,
  );
  expect(recordOf(view, rules).record).toBe(75);
});
