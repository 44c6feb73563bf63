import fc from 'fast-check';
import { parsePolicyV2 } from '../../policy/parse-policy.ts';
import { policyV2, type TrustPolicyV2 } from '../../policy/trust-policy-v2.ts';
import { DAY_MS } from '../../v1/constants.ts';

export const HOUR_MS = 3_600_000;
const ORGANISATIONS = ['acme', 'bolt', 'cube', 'dune', 'echo', 'flux'];
const AGENTS_MAX = 12;

/** What happens next in a random log; who it happens to follows from the numbers, modulo who is there. */
export type RandomStep =
  | { kind: 'register'; affiliation: number; domain: boolean }
  | { kind: 'adopt' | 'move'; agent: number; organisation: number }
  | { kind: 'reserve'; organisation: number; taker: number }
  | { kind: 'switch' }
  | { kind: 'void'; reviews: number[] }
  | {
      kind: 'review';
      reviewer: number;
      receiver: number;
      gapMs: number;
      success: boolean;
      score: number;
      /** What the event froze instead of the score in force; null for that score. */
      trust: number | null;
    };

const gapMs = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 6, arbitrary: fc.integer({ min: 1, max: DAY_MS }) },
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 30 * DAY_MS }) },
  { weight: 1, arbitrary: fc.constantFrom(90 * DAY_MS, 90 * DAY_MS + 1, 90 * DAY_MS * 20) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 4 * 365 * DAY_MS }) },
  // A clock that runs backwards.
  { weight: 1, arbitrary: fc.integer({ min: -DAY_MS, max: -1 }) },
);

const anyone = fc.nat({ max: 10_000 });

const step: fc.Arbitrary<RandomStep> = fc.oneof(
  {
    weight: 40,
    arbitrary: fc.record({
      kind: fc.constant('review' as const),
      reviewer: anyone,
      receiver: anyone,
      gapMs,
      success: fc.boolean(),
      score: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.constantFrom(1, 9, 10)),
      trust: fc.oneof(
        { weight: 3, arbitrary: fc.constant(null) },
        { weight: 3, arbitrary: fc.integer({ min: 50, max: 100 }) },
        { weight: 1, arbitrary: fc.constantFrom(0, 1e-4, 2e-4, 0.01) },
      ),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('register' as const),
      affiliation: fc.nat({ max: 2 * ORGANISATIONS.length }),
      domain: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('adopt' as const, 'move' as const),
      agent: anyone,
      organisation: anyone,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reserve' as const), organisation: anyone, taker: anyone }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('switch' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('void' as const), reviews: fc.array(anyone, { maxLength: 3 }) }),
  },
);

/** Steps of a log that begins with a few agents of organisations and of nobody. */
export const randomSteps = (countMax: number): fc.Arbitrary<RandomStep[]> =>
  fc.array(step, { maxLength: countMax, size: 'max' }).map((steps) => [
    ...Array.from(
      { length: 8 },
      (_, index): RandomStep => ({
        kind: 'register',
        affiliation: index < 5 ? index : 12,
        domain: true,
      }),
    ),
    ...ORGANISATIONS.map((_, index): RandomStep => ({ kind: 'reserve', organisation: index, taker: index })),
    ...steps,
  ]);

/** Few vouchers are needed, so that organisations become established in short logs. */
export const randomPolicy: fc.Arbitrary<TrustPolicyV2> = fc.oneof(
  fc.constant(policyV2),
  fc
    .record({
      establishedBy: fc.integer({ min: 1, max: 3 }),
      anchors: fc.subarray(ORGANISATIONS, { maxLength: 4 }),
      newRootShareMax: fc.constantFrom(0.01, 0.09, 0.15, 0.2),
      answerShareMin: fc.constantFrom(0, 0.15, 0.5),
      unaffiliated: fc.constantFrom('raisers' as const, 'raisers' as const, 'none' as const),
      voices: fc.integer({ min: 1, max: 3 }),
      priorLiftMax: fc.constantFrom(0, 30, 35),
      fallRootsMin: fc.integer({ min: 1, max: 3 }),
      recentMax: fc.integer({ min: 3, max: 24 }),
      recordStep: fc.constantFrom(1, 5, 10, 2.5),
      establishedRecordMin: fc.constantFrom(0, 50, 70),
    })
    .map((changed) => parsePolicyV2({ ...policyV2, name: 'other', constants: { ...policyV2.constants, ...changed } })),
);

export { AGENTS_MAX, ORGANISATIONS };
