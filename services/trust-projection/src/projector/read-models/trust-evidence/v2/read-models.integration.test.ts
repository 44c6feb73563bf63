// Bug: the read models of a log under formula v2 differ from what the policy's text makes of it: a row is read before it is loaded, a change of a record
// does not reach some agent, a switch of policies takes the wrong evidence, a past moment shows the present. Method: random logs with several
// organisations, adoption, moves, reservations, void reviews and switches v1 -> v2 -> v1 -> another v2; the direct form and, for v1, the ledger follow the
// same log; all scores, records, histories and explanations at positions must be equal. Live runners with odd batches and replays with far too small a
// memory must agree row for row.
import { migratePostgresEventLog, openEventLog, type EventLog } from '@agent-trust/event-log';
import { createSchema, openWriterSession, replayReadModel, startRunner } from '@agent-trust/projections';
import { createTestDatabase, type TestDatabase, waitFor } from '@agent-trust/test-kit';
import { runs } from '@agent-trust/test-kit/runs';
import { type AnyTrustPolicy, policyV1, policyV2, type TrustPolicyV2 } from '@agent-trust/trust-policy';
import sql from 'sql-template-tag';
import { afterEach, describe, expect, it } from 'vitest';
import { openReadModelDatabase, type ReadModelDatabase, readModelSchema } from '../../../../shared/database.ts';
import { appendActivation } from '../../../../testing/append-activation.ts';
import { appendHistory } from '../../../../testing/made-history.ts';
import {
  historyOrganisations,
  organisationsHistory,
  PolicyOracle,
  seededNumbers,
} from '../../../../testing/organisations-history.ts';
import { explainRecord } from '../../../../queries/explain-record.ts';
import { explainTrust } from '../../../../queries/explain-trust.ts';
import { confidenceView } from '../../agent-standing/confidence.ts';
import { findAgentAt } from '../../../../queries/past/agent-at.ts';
import { activatePolicy } from '../../../../tools/policy-activate/activate-policy.ts';
import { readActivatedPolicies } from '../../../activated-policies.ts';
import { decodeRegistryEvent, type ProjectedRegistryEvent } from '../../registry-event.ts';
import { registryReadModel } from '../../registry-read-model.ts';
import { policiesOf } from '../../trust-policy/queries.ts';

const agents = 22;
const reviews = runs(160, 600);
const logs = runs(2, 60);
const timeLimitMs = runs(240_000, 7_200_000);

/** Organisations are established, lifted and lowered within few reviews. */
const quick: TrustPolicyV2 = {
  ...policyV2,
  name: 'quick',
  constants: {
    ...policyV2.constants,
    strength: 1,
    establishedBy: 2,
    recordStep: 2.5,
    answerShareMin: 0,
    anchors: ['o3'],
  },
};
const plans: readonly AnyTrustPolicy[][] = [
  [policyV2, policyV1, quick],
  [policyV2],
  [quick, { ...policyV1, name: 'strict', constants: { ...policyV1.constants, strength: 10 } }, policyV2],
];

/** Parts of explained scores, causes of changes and kinds of evidence. */
const met = new Set<string>();
let database: TestDatabase;
let log: EventLog;
const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

const readLog = async (): Promise<ProjectedRegistryEvent[]> => {
  const all = [];
  for (;;) {
    const page = await log.readAll({ after: all.at(-1)?.position ?? null, countMax: 5_000 });
    if (page.length === 0) return all.map(decodeRegistryEvent);
    all.push(...page);
  }
};

const makeLog = async (seed: number, plan: readonly AnyTrustPolicy[]): Promise<void> => {
  database = await createTestDatabase();
  await migratePostgresEventLog(database.url);
  log = await openEventLog(database.url);
  opened.push(
    () => log.close(),
    () => database.drop(),
  );
  const parts = organisationsHistory(seed, { agents, reviews });
  const switchAfter = plan.map((_, index) => Math.floor((parts.length * (index + 1)) / (plan.length + 1)));
  for (const [index, part] of parts.entries()) {
    const ordinal = switchAfter.indexOf(index);
    const policy = plan[ordinal];
    if (policy !== undefined) await appendActivation(log, policy, ordinal);
    for (const each of index === 0 ? [part] : part.map((event) => [event])) await appendHistory(log, each);
  }
};

type Change = {
  agentId: string;
  position: string;
  score: number;
  previous: number | null;
  policy: string;
  cause: string;
};

type SaidOfOrganisation = { record: number; standing: number; vouchers: string[]; established: boolean };

/** What a policy of formula v2 says of organisations; nothing under v1. */
const recordsBy = ({ direct }: PolicyOracle): Map<string, SaidOfOrganisation> =>
  new Map(
    (direct === null ? [] : historyOrganisations).map((orgId) => [
      orgId,
      {
        record: direct?.record(orgId) ?? 0,
        standing: direct?.standing(orgId) ?? 0,
        vouchers: direct?.vouchers(orgId) ?? [],
        established: direct?.isEstablished(orgId) ?? false,
      },
    ]),
  );

/** What the oracles say: the scores at each position, and the changes of those that held. */
const followLog = (events: readonly ProjectedRegistryEvent[], plan: readonly AnyTrustPolicy[]) => {
  const oracles = new Map([policyV1, ...plan].map((policy) => [policy.name, new PolicyOracle(policy)]));
  let inForce = policyV1.name;
  const held = new Map<string, number>();
  const members = new Map<string, string | null>();
  const changes: Change[] = [];
  const snapshots: {
    position: bigint;
    policy: string;
    verdicts: Map<string, { score: number; unrounded: number }>;
    records: Map<string, SaidOfOrganisation>;
  }[] = [];
  for (const event of events) {
    for (const oracle of oracles.values()) oracle.apply(event);
    if (event.type === 'TrustPolicyActivated') inForce = event.data.policy.name;
    if (event.type === 'AgentRegistered') members.set(event.data.agentId, event.data.orgId);
    const oracle = oracles.get(inForce)!;
    const verdicts = new Map([...members.keys()].map((agentId) => [agentId, oracle.verdict(agentId)]));
    snapshots.push({ position: event.position, policy: inForce, verdicts, records: recordsBy(oracle) });
    for (const [agentId, { score }] of verdicts) {
      const previous = held.get(agentId) ?? null;
      if (previous === score) continue;
      held.set(agentId, score);
      const named =
        'agentId' in event.data
          ? event.data.agentId
          : 'receiverAgentId' in event.data
            ? event.data.receiverAgentId
            : agentId;
      const cause = named === agentId ? event.type : 'record';
      changes.push({ agentId, position: String(event.position), score, previous, policy: inForce, cause });
    }
  }
  return { oracles, snapshots, changes, inForce, agentIds: [...members.keys()] };
};

const buildLive = async (batchEventsMax: number): Promise<void> => {
  const connection = { connectionString: database.url };
  const readModel = await registryReadModel({ policies: () => readActivatedPolicies(log) });
  const session = await openWriterSession(connection, readModelSchema);
  await createSchema(session, readModelSchema, readModel.schema);
  await session.end();
  const runner = startRunner({ connection, schema: readModelSchema, log, readModel, batchEventsMax });
  const head = await log.headPosition();
  await waitFor(
    () => {
      if (runner.status().poison !== null) throw new Error(JSON.stringify(runner.status().error));
      return runner.status().position === head;
    },
    { timeoutMs: 120_000, description: 'the end of the log' },
  );
  await runner.stop();
};

const replayed = async (limits: { batchEventsMax: number; insertsMin: number; rowsPerTableMax: number }) =>
  replayReadModel({
    connection: { connectionString: database.url },
    schema: readModelSchema,
    log,
    readModel: await registryReadModel({ policies: () => readActivatedPolicies(log) }),
    ...limits,
  });

const compareScores = async (reader: ReadModelDatabase, followed: ReturnType<typeof followLog>): Promise<void> => {
  const { oracles, inForce, agentIds } = followed;
  for (const oracle of oracles.values()) {
    if (oracle.policy.name !== inForce) continue;
    const rows = await reader.query<{ agentId: string; trustScore: number; unrounded: number }>(sql`
      SELECT e.agent_id, s.trust_score, e.unrounded FROM trust_evidence e JOIN agent_standing s USING (agent_id)
      WHERE s.trust_policy = ${inForce} AND e.trust_policy = ${inForce}`);
    expect(rows.map(({ agentId }) => agentId).toSorted()).toEqual(agentIds.toSorted());
    for (const { agentId, trustScore, unrounded } of rows) {
      const verdict = oracle.verdict(agentId);
      expect([agentId, trustScore]).toEqual([agentId, verdict.score]);
      expect(unrounded).toBeCloseTo(verdict.unrounded, 8);
    }
    const { direct } = oracle;
    if (direct === null) continue;
    const records = await reader.query<{ orgId: string; record: number; standing: number; vouchers: number }>(sql`
      SELECT r.org_id, r.record, coalesce(s.record, r.record) AS standing, r.vouchers FROM organisation_evidence r
      LEFT JOIN organisation_evidence s ON s.subject = ${inForce}::text || ' standing ' || r.org_id
      WHERE r.trust_policy = ${inForce} AND r.kind = 'record'`);
    expect(records.length).toBeGreaterThan(3);
    for (const { orgId, record, standing, vouchers } of records) {
      expect([orgId, record, standing, vouchers]).toEqual([
        orgId,
        direct.record(orgId),
        direct.standing(orgId),
        direct.vouchers(orgId).length,
      ]);
    }
  }
  const counts = await reader.query<{ universe: string; agentsByScore: number[] }>(
    sql`SELECT universe, agents_by_score FROM registry_size`,
  );
  const standings = await reader.query<{ universe: string; trustScore: number }>(
    sql`SELECT universe, trust_score FROM agent_standing WHERE routable`,
  );
  for (const { universe, agentsByScore } of counts) {
    const expected = Array.from({ length: 101 }, () => 0);
    for (const each of standings) if (each.universe === universe) expected[each.trustScore]! += 1;
    expect([universe, agentsByScore]).toEqual([universe, expected]);
  }
};

const compareHistory = async (reader: ReadModelDatabase, { changes }: ReturnType<typeof followLog>): Promise<void> => {
  const rows = await reader.query<Change>(sql`
    SELECT agent_id, position::text AS position, trust_score AS score, previous_score AS previous, trust_policy AS policy,
      cause_type AS cause FROM trust_history h ORDER BY h.position, agent_id`);
  expect(rows).toEqual(
    changes.toSorted((a, b) => Number(a.position) - Number(b.position) || (a.agentId < b.agentId ? -1 : 1)),
  );
};

/** Explains agents at random positions. Returns the kinds of parts that were met. */
const comparePast = async (
  reader: ReadModelDatabase,
  { snapshots, agentIds }: ReturnType<typeof followLog>,
  seed: number,
): Promise<Set<string>> => {
  const { pick } = seededNumbers(seed + 1_000);
  const kinds = new Set<string>();
  const policyNamed = policiesOf(reader);
  for (let count = 0; count < runs(150, 400); count += 1) {
    const { position, policy, verdicts } = snapshots[pick(snapshots.length)]!;
    const agentId = agentIds[pick(agentIds.length)]!;
    const verdict = verdicts.get(agentId);
    const agent = await findAgentAt(reader, policyNamed, agentId, position);
    expect([agentId, position, agent?.trustScore, agent?.trustPolicy]).toEqual([
      agentId,
      position,
      verdict?.score,
      verdict === undefined ? undefined : policy,
    ]);
    if (verdict === undefined) continue;
    const moment = { position, time: new Date(0) };
    const { trust } = await explainTrust(reader, policyNamed, { agentId, moment, limit: 200, offset: 0 });
    expect([trust.trustScore, trust.trustPolicy]).toEqual([verdict.score, policy]);
    expect(trust.unrounded).toBeCloseTo(verdict.unrounded, 8);
    expect(agent && confidenceView(agent.confidence)).toEqual(trust.confidence);
    expect(trust.contributions.reduce((sum, { points }) => sum + points, 0)).toBe(trust.unrounded);
    expect(trust.contributions.toReversed().reduce((sum, { points }) => sum + points, 0)).toBe(trust.unrounded);
    // Each root's weight is that of its reviews.
    const weights = new Map<string, number>();
    for (const { weight, counted, rootWeights } of trust.reviews) {
      for (const [root, share] of Object.entries(rootWeights)) {
        if (counted) weights.set(root, (weights.get(root) ?? 0) + weight * share);
      }
    }
    for (const { kind, root, weight = 0 } of trust.contributions) {
      kinds.add(`${kind} ${trust.basis}`);
      if (kind === 'root') expect(weight).toBeCloseTo(weights.get(root ?? '') ?? 0, 6);
    }
  }
  return kinds;
};

/** Explains records at random positions. */
const comparePastRecords = async (
  reader: ReadModelDatabase,
  { snapshots }: ReturnType<typeof followLog>,
  seed: number,
): Promise<void> => {
  const { pick } = seededNumbers(seed + 2_000);
  const policyNamed = policiesOf(reader);
  for (let count = 0; count < runs(60, 200); count += 1) {
    const { position, policy, records } = snapshots[pick(snapshots.length)]!;
    const orgId = historyOrganisations[pick(historyOrganisations.length)]!;
    const moment = { position, time: new Date(0) };
    const asked = { orgId, moment, createdBy: null, limit: 1_000, offset: 0 };
    const explained = explainRecord(reader, policyNamed, asked);
    const said = records.get(orgId);
    if (said === undefined) {
      await expect(explained).rejects.toMatchObject({ code: 'no_organisation_records' });
      continue;
    }
    const found = await explained;
    const standing = found.standing ?? found;
    expect([position, orgId, found.trustPolicy, found.record, standing.record, found.established]).toEqual([
      position,
      orgId,
      policy,
      said.record,
      said.standing,
      said.established,
    ]);
    expect(found.vouchers.map(({ organisation }) => organisation).toSorted()).toEqual(said.vouchers.toSorted());
    for (const each of [found, standing]) {
      expect(each.contributions.reduce((sum, { points }) => sum + points, 0)).toBe(each.unrounded);
      expect(each.reviews).toHaveLength(each.reviewsTotal);
      const weights = new Map<string, number>();
      for (const { weight, counted, rootWeights } of each.reviews) {
        for (const [root, share] of Object.entries(rootWeights)) {
          if (counted) weights.set(root, (weights.get(root) ?? 0) + weight * share);
        }
      }
      for (const { kind, root, weight = 0 } of each.contributions) {
        if (kind === 'root') expect(weight).toBeCloseTo(weights.get(root ?? '') ?? 0, 6);
      }
      if (each.reviews.some(({ answersFor }) => answersFor !== null)) met.add('answer');
      if (each.leftOut !== null) met.add('left out');
    }
  }
};

describe('the read models of a log with formula v2', () => {
  const cases = Array.from({ length: logs * plans.length }, (_, index) => ({
    seed: index + 1,
    plan: plans[index % plans.length]!,
    names: plans[index % plans.length]!.map(({ name }) => name).join(' -> '),
  }));
  it.each(cases)(
    'are what the policies make of log $seed with $names, live and replayed',
    async ({ seed, plan }) => {
      await makeLog(seed, plan);
      const events = await readLog();
      const followed = followLog(events, plan);
      await buildLive(seed % 2 === 0 ? 1 : 37);
      const reader = openReadModelDatabase(database.url);
      try {
        await compareScores(reader, followed);
        await compareHistory(reader, followed);
        for (const kind of await comparePast(reader, followed, seed)) met.add(kind);
        await comparePastRecords(reader, followed, seed);
        for (const { cause } of followed.changes) met.add(cause);
        for (const { kind } of await reader.query<{ kind: string }>(
          sql`SELECT DISTINCT kind FROM organisation_evidence`,
        )) {
          met.add(kind);
        }
      } finally {
        await reader.close();
      }
      for (const limits of [
        { batchEventsMax: 13, insertsMin: 30, rowsPerTableMax: 8 },
        { batchEventsMax: 2_000, insertsMin: 4_000, rowsPerTableMax: 100_000 },
      ]) {
        expect(await replayed(limits)).toMatchObject({
          switched: true,
          comparison: { rowsDiffering: 0, differences: [] },
        });
      }
    },
    timeLimitMs,
  );

  // Bug: a replay of more rows than its memory holds passes over all steps so far for every one that it reads back, and takes days.
  it(
    'are replayed with steps that are found by their key when memory has let them go',
    async () => {
      await makeLog(98, [policyV2]);
      await buildLive(500);
      expect(await replayed({ batchEventsMax: 3, insertsMin: 30, rowsPerTableMax: 0 })).toMatchObject({
        switched: true,
      });
      const reader = openReadModelDatabase(database.url);
      try {
        // A session reports its counts when it has ended.
        const scans = await waitFor(
          async () => {
            const rows = await reader.query<{ table: string; byKey: number; whole: number }>(sql`
              SELECT relname AS table, coalesce(idx_scan, 0)::int AS by_key, seq_scan::int AS whole FROM pg_stat_user_tables
              WHERE schemaname = ${readModelSchema} AND relname IN ('trust_evidence_step', 'organisation_evidence_step')`);
            return rows.length === 2 && rows.every(({ byKey }) => byKey > 100) ? rows : null;
          },
          { description: 'steps that were found by their key' },
        );
        // To make the key, and to compare.
        for (const { whole } of scans) expect(whole).toBeLessThan(10);
      } finally {
        await reader.close();
      }
    },
    timeLimitMs,
  );

  it(
    'are built beside those of v1 at a switch, and all that does not depend on the policy is equal',
    async () => {
      await makeLog(99, []);
      await buildLive(500);
      const { report } = await activatePolicy({
        connection: { connectionString: database.url },
        log,
        policy: policyV2,
        append: (activationsBefore) => appendActivation(log, policyV2, activationsBefore),
      });
      expect(report).toMatchObject({ switched: true, comparison: { rowsDiffering: 0, differences: [] } });
      const followed = followLog(await readLog(), [policyV2]);
      const reader = openReadModelDatabase(database.url);
      try {
        await compareScores(reader, followed);
        await compareHistory(reader, followed);
      } finally {
        await reader.close();
      }
    },
    timeLimitMs,
  );

  it('have met all that the policy does', () => {
    expect([...met]).toEqual(
      expect.arrayContaining([
        'prior all',
        'root recent',
        'record all',
        'third_voice all',
        'standing',
        'answer',
        'left out',
        'record',
        'ReviewsVoided',
        'TrustPolicyActivated',
      ]),
    );
  });
});
