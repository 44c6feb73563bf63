/*
 * Bugs: what-if between formulas says something else than the policy's text, or than the switch then does; an agent that another agent's reviews move,
 * by the record of their organisation, is left out; parts do not sum to the score; a constant alone is tried with others.
 * Method: random logs with several organisations, adoption, reservations and void reviews; the direct form of v2, and v1's ledger, follow the same log;
 * then the policy is put in force.
 */
import { migratePostgresEventLog, openEventLog, type EventLog } from '@agent-trust/event-log';
import { createTestDatabase, type TestDatabase } from '@agent-trust/test-kit';
import { type AnyTrustPolicy, policyV1, policyV2, type TrustPolicyV2 } from '@agent-trust/trust-policy';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeRegistryEvent, type ProjectedRegistryEvent } from '../../projector/read-models/registry-event.ts';
import { readModelSchema } from '../../shared/database.ts';
import { appendActivation } from '../../testing/append-activation.ts';
import { appendHistory } from '../../testing/made-history.ts';
import { organisationsHistory, PolicyOracle } from '../../testing/organisations-history.ts';
import { activatePolicy } from '../policy-activate/activate-policy.ts';
import { comparePolicies, crossingsOf } from './compare-policies.ts';
import { policyChanges } from './policy-changes.ts';
import { scoresUnder, VoidedReviewsError } from './scores-under.ts';
import { singleEffects } from './single-effects.ts';

/** Organisations are established, lifted and lowered within few reviews. */
const quick: TrustPolicyV2 = {
  ...policyV2,
  name: 'quick',
  constants: { ...policyV2.constants, strength: 1, establishedBy: 2, recordStep: 2.5, anchors: ['o3'] },
};

let database: TestDatabase;
let log: EventLog;
let events: ProjectedRegistryEvent[];
beforeAll(async () => {
  database = await createTestDatabase();
  await migratePostgresEventLog(database.url);
  log = await openEventLog(database.url);
  const parts = organisationsHistory(11, { agents: 30, reviews: 220 });
  for (const [index, part] of parts.entries()) {
    for (const each of index === 0 ? [part] : part.map((event) => [event])) await appendHistory(log, each);
  }
  events = (await log.readAll({ after: null, countMax: 100_000 })).map(decodeRegistryEvent);
});
afterAll(async () => {
  await log.close();
  await database.drop();
});

const oracleOf = (policy: AnyTrustPolicy, read = events): PolicyOracle => {
  const oracle = new PolicyOracle(policy);
  for (const event of read) oracle.apply(event);
  return oracle;
};
/** The same log, to which `next` has not happened. */
const logWithout = (next: ProjectedRegistryEvent['type']): EventLog => ({
  ...log,
  readAll: async (options) => (await log.readAll(options)).filter(({ type }) => type !== next),
});

describe('what-if between policies of any formula', () => {
  it.each([
    ['v1 to v2', policyV1, policyV2],
    ['v2 to v1', policyV2, policyV1],
    ['v1 to v2 with other constants', policyV1, quick],
    ['v2 to v2 with other constants', policyV2, quick],
  ])('%s moves whom the policies move, and explains it', async (_name, from, to) => {
    const compared = await comparePolicies(log, { from, to }, 1_000);
    const [before, after] = [oracleOf(from), oracleOf(to)];
    const agents = events.flatMap((event) => (event.type === 'AgentRegistered' ? [event.data.agentId] : []));
    const moved = agents.filter((agentId) => before.verdict(agentId).score !== after.verdict(agentId).score);
    expect(moved.length).toBeGreaterThan(5);
    expect(new Set(compared.moves.map(({ agentId }) => agentId))).toEqual(new Set(moved));
    expect(compared.agents).toBe(agents.length);
    const kinds = new Set<string>();
    for (const { agentId, before: left, after: right, crosses } of compared.explained) {
      expect([left.score, right.score]).toEqual([before.verdict(agentId).score, after.verdict(agentId).score]);
      expect(crosses).toEqual(crossingsOf(left.score, right.score));
      for (const { parts, unrounded } of [left, right]) {
        expect(parts.reduce((sum, { points }) => sum + points, 0)).toBeCloseTo(unrounded, 9);
        for (const { kind } of parts) kinds.add(kind);
      }
      const side = to.formula === 'v2' ? right : left;
      const direct = (to.formula === 'v2' ? after : before).direct;
      const organisation = side.organisation ?? { id: '', record: undefined };
      expect(organisation.record).toBe(organisation.id === '' ? undefined : direct?.record(organisation.id));
    }
    expect([...kinds]).toEqual(expect.arrayContaining(['record', ...(to === quick ? ['third_voice'] : [])]));
  });

  // Bug: reviews are forgotten although one is voided later; or each is kept although none ever is, which takes twice the memory.
  it.each([
    ['v1 to v2', policyV1, policyV2],
    ['v2 to v1', policyV2, policyV1],
  ])('%s keeps the reviews of a log that voids some, and of no other', async (_name, from, to) => {
    const calm = logWithout('ReviewsVoided');
    const read = events.filter(({ type }) => type !== 'ReviewsVoided');
    expect(read.length).toBeLessThan(events.length);
    const compared = await comparePolicies(calm, { from, to }, 0);
    expect([compared.hasVoided, (await comparePolicies(log, { from, to }, 0)).hasVoided]).toEqual([false, true]);
    const [before, after] = [oracleOf(from, read), oracleOf(to, read)];
    const scores = compared.moves.map(({ agentId, ...move }) => [agentId, move.before.score, move.after.score]);
    const expected = scores.map(([agentId]) => [
      agentId,
      before.verdict(String(agentId)).score,
      after.verdict(String(agentId)).score,
    ]);
    expect(scores).toEqual(expected);
    const [voided] = events.filter(({ type }) => type === 'ReviewsVoided');
    for (const policy of [from, to])
      expect(() => scoresUnder(policy, { hasVoided: false }).follow(voided as ProjectedRegistryEvent)).toThrow(
        VoidedReviewsError,
      );
  });

  it('tries each constant of formula v2 alone', async () => {
    const changes = policyChanges(policyV2, quick);
    expect(changes.map(({ constant }) => constant)).toEqual([
      'constants.strength',
      'constants.establishedBy',
      'constants.recordStep',
      'constants.anchors',
    ]);
    const comparison = await comparePolicies(log, { from: policyV2, to: quick }, 1_000);
    const { explained: moves } = comparison;
    const followed: bigint[] = [];
    const effects = await singleEffects(log, { ...comparison, moves }, changes, {
      follow: (event) => followed.push(event.position),
    });
    // What is followed besides is followed once.
    expect(new Set(followed).size).toBe(followed.length);
    const before = oracleOf(policyV2);
    for (const { constant, alone } of changes) {
      if (alone === null) throw new Error(`${constant} can be changed alone`);
      const after = oracleOf(alone);
      for (const { agentId } of moves) {
        const points = effects.get(agentId)?.find((effect) => effect.constant === constant)?.points ?? 0;
        expect(points).toBeCloseTo(after.verdict(agentId).unrounded - before.verdict(agentId).unrounded, 8);
      }
    }
  });

  it('between formulas tries no constant alone', async () => {
    const comparison = await comparePolicies(log, { from: policyV1, to: quick }, 5);
    const { explained: moves } = comparison;
    const effects = await singleEffects(log, { ...comparison, moves }, policyChanges(policyV1, quick));
    expect([...effects.values()].flat()).toEqual([]);
  });

  it('says beforehand what the switch then does', async () => {
    const { moves } = await comparePolicies(log, { from: policyV1, to: policyV2 }, 0);
    const connection = { connectionString: database.url };
    const append = (activationsBefore: number) => appendActivation(log, policyV2, activationsBefore);
    await activatePolicy({ connection, log, policy: policyV2, append });
    const client = new pg.Client(connection);
    await client.connect();
    const { rows } = await client.query<{ agentId: string; before: number; after: number }>(
      `SELECT agent_id AS "agentId", previous_score AS before, trust_score AS after
       FROM ${readModelSchema}.trust_policy_switch WHERE trust_score <> previous_score`,
    );
    await client.end();
    expect(new Map(rows.map(({ agentId, before, after }) => [agentId, [before, after]]))).toEqual(
      new Map(moves.map(({ agentId, before, after }) => [agentId, [before.score, after.score]])),
    );
  });
});
