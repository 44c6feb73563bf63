/**
 * `node packages/trust-policy/bench/add-review.ts`: what adding a review to evidence of 1,000 roots costs by policies v1 and v2. Exit code 1 if v2 costs
 * more than 1.5 times as much.
 */
import {
  addEntry,
  applyReview,
  averagesOfAgent,
  type Entry,
  policyV1,
  policyV2,
  recordOf,
  rulesOfV2,
  TrustLedger,
  TrustLedgerV2,
} from '../src/index.ts';

const rootCount = 1000;
const reviewsPerRoot = 3;
const minuteMs = 60_000;
const samples = 3000;
/** What adding a review to evidence of policy v2 may cost, relative to v1. */
const ratioMax = 1.5;

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? Number.NaN;

/** Adds one review to evidence of 1,000 roots, by v1 and by v2, in turn, so that all meet the same machine. Returns whether v2 costs little enough. */
function benchAddReview(say: (line: string) => void): boolean {
  const rules = rulesOfV2(policyV2);
  const v1 = new TrustLedger(policyV1);
  const v2 = new TrustLedgerV2(policyV2);
  v1.setPrior('t', 40);
  v2.apply({ type: 'registered', agent: 't', organisation: null, base: 40 });
  const entryOf = (index: number): Entry => {
    const organisation = `o${index % rootCount}`;
    return {
      reviewedAt: Date.UTC(2026, 0, 1) + index * minuteMs,
      reviewer: `r${index}`,
      roots: { [organisation]: 1 },
      trust: 80,
      success: index % 7 !== 0,
      score: 1 + (index % 10),
      own: { organisation, isEstablished: index % 2 === 0 },
    };
  };
  const reviews = rootCount * reviewsPerRoot;
  for (let index = 0; index < reviews; index += 1) {
    const { own, reviewer: agent, trust, roots, ...said } = entryOf(index);
    v1.record('t', { ...said, reviewer: agent, trust, roots });
    const reviewer = { agent, organisation: own?.organisation ?? null, orgDomain: null, trust, roots };
    v2.apply({ type: 'reviewed', review: { id: String(index), receiver: 't', ...said, reviewer, inProduction: true } });
  }
  const evidenceV1 = v1.evidence('t');
  const { evidence } = v2.account({ kind: 'agent', id: 't' });
  const given = { pair: null, expired: [] };
  const ways: Record<string, (entry: Entry) => unknown> = {
    v1: (review) => applyReview({ ...given, evidence: evidenceV1, review, policy: policyV1 }),
    'v2, an agent': (entry) => averagesOfAgent(addEntry({ ...given, evidence, entry }, rules).view, 40, rules),
    'v2, a record': (entry) => recordOf(addEntry({ ...given, evidence, entry }, rules).view, rules),
  };
  const times = new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]));
  for (let sample = 0; sample < 2 * samples; sample += 1) {
    for (const [name, add] of Object.entries(ways)) {
      const entry = entryOf(reviews + sample);
      const start = process.hrtime.bigint();
      add(entry);
      // The first half only warms up.
      if (sample >= samples) times.get(name)?.push(Number(process.hrtime.bigint() - start) / 1000);
    }
  }
  // What other work of the machine takes only adds to a time, so a low quantile is the nearest to the cost itself.
  const costOf = (name: string): number => quantile(times.get(name) ?? [], 0.1);
  const ratios = Object.keys(ways).map((name) => costOf(name) / costOf('v1'));
  for (const [index, name] of Object.keys(ways).entries()) {
    say(`${name}: ${costOf(name).toFixed(1)} µs, ${(ratios[index] ?? 0).toFixed(2)} of v1`);
  }
  return ratios.every((ratio) => ratio <= ratioMax);
}

process.exitCode = benchAddReview((line) => void process.stdout.write(`${line}\n`)) ? 0 : 1;
