// The rules of sections 3 and 4 of the policy one by one, each from its allowed and its forbidden side.
import { describe, expect, test } from 'vitest';
import { policyV2 } from '../policy/trust-policy-v2.ts';
import { DAY_MS } from '../v1/constants.ts';
import { averagesOfAgent } from './agent-score.ts';
import { viewOfEntries } from './direct/direct-view.ts';
import type { Entry } from './entry.ts';
import { isEstablishedOrganisation } from './established.ts';
import { explainAgent } from './explain.ts';
import { recordOf } from './organisation-record.ts';
import { rulesOfV2 } from './rules.ts';
import { verdictAt } from './verdict.ts';

const rules = rulesOfV2(policyV2);
let reviewers = 0;
/** A review by an organisation, each by another of its agents. */
const by = (organisation: string, overrides: Partial<Entry> & { established?: boolean } = {}): Entry => {
  const { established = true, ...review } = overrides;
  reviewers += 1;
  return {
    reviewedAt: 0,
    reviewer: `r${reviewers}`,
    roots: { [organisation]: 1 },
    trust: 80,
    success: true,
    score: 10,
    own: { organisation, isEstablished: established },
    ...review,
  };
};
const bad = { success: false, score: 1 } as const;
const times = (count: number, make: (index: number) => Entry): Entry[] =>
  Array.from({ length: count }, (_, i) => make(i));
const scoreOf = (entries: readonly Entry[], base: number, record = 75): { score: number; basis: string } => {
  const { line } = averagesOfAgent(viewOfEntries(entries, rules), base, rules);
  return verdictAt(line, Math.min(base, record), rules);
};

describe('caps', () => {
  const capOf = (organisation: string, entries: readonly Entry[], base: number): number => {
    const { contributions } = explainAgent(viewOfEntries(entries, rules), { base, organisation: null }, rules);
    const found = contributions.find((line) => line.kind === 'root' && line.root === organisation);
    return found?.kind === 'root' ? found.cap : Number.NaN;
  };

  test('praise has 20 percent if its root is established, else 9; blame has 20 in any case', () => {
    expect(capOf('acme', [by('acme')], 40)).toBe(0.2);
    expect(capOf('acme', [by('acme', { established: false })], 40)).toBe(0.09);
    expect(capOf('acme', [by('acme', { established: false, ...bad })], 40)).toBe(0.2);
  });

  test('what is praise follows from the base, not from the record', () => {
    const fair = by('acme', { established: false, score: 7 });
    expect(capOf('acme', [fair], 75)).toBe(0.2);
    expect(capOf('acme', [fair], 40)).toBe(0.09);
  });

  test("the newest of a root's own reviews decides, and shares of unaffiliated reviewers never do", () => {
    const later = by('acme', { established: false, reviewedAt: 1 });
    expect(capOf('acme', [by('acme'), later], 40)).toBe(0.09);
    expect(capOf('acme', [by('acme'), { ...later, own: null }], 40)).toBe(0.2);
    expect(capOf('acme', [{ ...later, own: null }], 40)).toBe(0.09);
  });
});

describe('the third voice', () => {
  const voices = (organisations: readonly string[], established = true): Entry[] =>
    organisations.flatMap((organisation) => times(3, () => by(organisation, { established })));
  const liftOf = (entries: readonly Entry[], base: number): number | undefined =>
    averagesOfAgent(viewOfEntries(entries, rules), base, rules).thirdVoice?.lift;

  test('lifts an unaffiliated agent that three established organisations praise, by at most 30', () => {
    expect(liftOf(voices(['a', 'b', 'c']), 40)).toBe(30);
    expect(liftOf(voices(['a', 'b']), 40)).toBeUndefined();
    expect(liftOf([...voices(['a', 'b']), ...voices(['c'], false)], 40)).toBeUndefined();
    expect(liftOf(voices(['a', 'b', 'c']), 75)).toBeUndefined();
  });

  test('is as strong as the third is content', () => {
    const third = times(3, () => by('c', { score: 6 }));
    expect(liftOf([...voices(['a', 'b']), ...third], 40)).toBeCloseTo((30 * ((100 * 5) / 9 - 40)) / 60, 9);
    expect(liftOf([...voices(['a', 'b']), by('c', bad)], 40)).toBeUndefined();
  });
});

describe('fast fall', () => {
  const past = ['a', 'b', 'c', 'd', 'e'].flatMap((organisation) => times(20, () => by(organisation)));
  const now = { reviewedAt: 80 * DAY_MS };
  const fall = (organisations: readonly string[]): Entry[] =>
    organisations.flatMap((organisation) => times(3, () => by(organisation, { ...now, ...bad })));

  test('needs bad recent reviews of two roots', () => {
    expect(scoreOf([...past, ...fall(['a', 'b', 'c'])], 75).basis).toBe('recent');
    expect(scoreOf([...past, ...fall(['a'])], 75).basis).toBe('all');
  });

  test('looks at fewer reviews of each root where there are many roots', () => {
    const many = Array.from({ length: 13 }, (_, index) => `m${index}`);
    const good = many.flatMap((organisation) => times(3, () => by(organisation)));
    const newest = many.slice(0, 6).map((organisation) => by(organisation, { reviewedAt: 1, ...bad }));
    const { recent } = averagesOfAgent(viewOfEntries([...good, ...newest], rules), 75, rules);
    // One of each of 13 roots: six bad ones, of one and a half times the weight.
    expect(recent?.evidenceMean).toBeCloseTo((100 * 7) / (7 + 9), 1);
  });
});

describe('a record', () => {
  const settled = ['a', 'b', 'c', 'd', 'e'].flatMap((organisation) => times(6, () => by(organisation, { score: 8 })));
  const now = { reviewedAt: 60 * DAY_MS };
  const slander = times(3, () => by('s', { ...now, ...bad }));

  test('is not changed by one organisation, in its recent evidence neither', () => {
    const before = recordOf(viewOfEntries(settled, rules), rules);
    const { record, leftOut, basis } = recordOf(viewOfEntries([...settled, ...slander], rules), rules);
    expect({ record, basis, leftOut }).toEqual({ record: before.record, basis: 'all', leftOut: 5 });
    // One bad review of another root: with the slanderer's own that would be two roots.
    const other = by('a', { ...now, ...bad });
    expect(recordOf(viewOfEntries([...settled, ...slander, other], rules), rules).basis).toBe('all');
  });

  test('is at most 75 and falls in steps of 5', () => {
    expect(
      recordOf(
        viewOfEntries(
          settled.map((entry) => ({ ...entry, score: 10 })),
          rules,
        ),
        rules,
      ).record,
    ).toBe(75);
    expect(recordOf(viewOfEntries([], rules), rules)).toMatchObject({ record: 75, unrounded: 75 });
    const worse = [...settled, ...slander, ...times(3, () => by('t', { ...now, ...bad }))];
    const { record, unrounded } = recordOf(viewOfEntries(worse, rules), rules);
    expect(record).toBeLessThan(75);
    expect(record).toBe(5 * Math.floor(unrounded / 5));
  });

  test('lowers the prior of its agents, and lifts none', () => {
    expect(scoreOf([], 75, 55).score).toBe(55);
    expect(scoreOf([], 40, 55).score).toBe(40);
    expect(scoreOf([], 40, 30).score).toBe(30);
  });
});

test('established are organisations with five vouchers, or anchors, if their standing record is 70 at least', () => {
  const anchored = rulesOfV2({ ...policyV2, name: 'a', constants: { ...policyV2.constants, anchors: ['acme'] } });
  const acme = { organisation: 'acme', vouchers: 5, standing: 70 };
  expect(isEstablishedOrganisation(acme, rules)).toBe(true);
  expect(isEstablishedOrganisation({ ...acme, vouchers: 4 }, rules)).toBe(false);
  expect(isEstablishedOrganisation({ ...acme, standing: 65 }, rules)).toBe(false);
  expect(isEstablishedOrganisation({ ...acme, vouchers: 0 }, anchored)).toBe(true);
  expect(isEstablishedOrganisation({ ...acme, vouchers: 0, standing: 65 }, anchored)).toBe(false);
});
