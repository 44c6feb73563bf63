import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { explainTrust, getPastAgent, getStatus, getTrustHistory, production } from '@agent-trust/contracts';
import { createSchema, openWriterSession, replayReadModel, startRunner } from '@agent-trust/projections';
import { waitFor } from '@agent-trust/test-kit';
import { parsePolicyV1, policyV1, priorOf, TrustLedger, type TrustPolicy } from '@agent-trust/trust-policy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeRegistryEvent } from '../../projector/read-models/registry-event.ts';
import { registryReadModel } from '../../projector/read-models/registry-read-model.ts';
import { readModelSchema } from '../../shared/database.ts';
import { countingReview, policyReview } from '../../projector/read-models/trust-evidence/reviewed.ts';
import { appendActivation } from '../../testing/append-activation.ts';
import { type MadeEvent, makeHistory } from '../../testing/made-history.ts';
import { createServiceFixture, type ServiceFixture } from '../../testing/service-fixture.ts';
import { activatePolicy } from './activate-policy.ts';
import { readActivatedPolicies } from '../../projector/activated-policies.ts';

/*
 * Bug: an interrupted switch of the policy leaves scores of two policies under one name, or loses earlier answers.
 * Method: a live service; the switch is killed before the append and after it; then every score, every change and every answer as of a past position
 * is compared with the policies' own ledgers over the same log. Each test continues with the log of the one before.
 */
const strict: TrustPolicy = {
  ...policyV1,
  name: 'strict',
  constants: { ...policyV1.constants, strength: 10, badWeight: 2.5, halfLifeDays: 45 },
  priors: { verified: 70, unverified: 45 },
};

let fixture: ServiceFixture;
let lives = 0;
beforeAll(async () => {
  fixture = await createServiceFixture();
  await reach(await record());
});
afterAll(() => fixture.close());

const connection = () => ({ connectionString: fixture.url });
const beginnings: ReadonlySet<string> = new Set([
  'OrganisationCreated',
  'AgentRegistered',
  'ClaimIssued',
  'KeyRotated',
]);
/** More activity: exchanges and reviews of the registry's agents, and one more agent. */
const record = async (): Promise<string> => {
  lives += 1;
  const history = makeHistory({ agents: 40, exchanges: lives === 1 ? 400 : 100, seed: lives });
  if (lives === 1) return fixture.record(...history);
  const [first] = history.filter(({ event }) => event.type === 'AgentRegistered');
  const newcomer = JSON.parse(JSON.stringify(first).replaceAll('agent-0', `newcomer-${lives}`)) as MadeEvent;
  return fixture.record(newcomer, ...history.filter(({ event }) => !beginnings.has(event.type)));
};
const reach = (position: string): Promise<unknown> => fixture.untilVisible(position);
const activate = (policy: TrustPolicy) =>
  activatePolicy({
    connection: connection(),
    log: fixture.log,
    policy,
    append: (activationsBefore) => appendActivation(fixture.log, policy, activationsBefore),
  });
const replay = async () =>
  replayReadModel({
    connection: connection(),
    schema: readModelSchema,
    log: fixture.log,
    readModel: await registryReadModel({ policies: () => readActivatedPolicies(fixture.log) }),
  });
const killedAt = async (point: 'before' | 'after', policy: TrustPolicy): Promise<void> => {
  const program = fileURLToPath(new URL('../../testing/activate-process.ts', import.meta.url));
  const child = spawn(process.execPath, [program, fixture.url, JSON.stringify(policy), point], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const [reported] = (await Promise.race([once(child.stdout, 'data'), exited])) as [unknown];
  expect(String(reported)).toBe(`${point} the append\n`);
  child.kill('SIGKILL');
  await exited;
};
const status = async () => (await fixture.gateway.request(getStatus, {})).projection;
const scores = () =>
  fixture.query<{ agent: string; score: number; policy: string }>(
    `SELECT agent_id AS agent, trust_score AS score, trust_policy AS policy FROM read_models.agent_standing ORDER BY 1`,
  );

type Change = {
  agent: string;
  position: string;
  policy: string;
  score: number;
  previous: number | null;
  cause: string;
};

/** The result of the policies, computed from the log by their ledgers: every change of a score that held, and the final state. */
const reported = async (): Promise<{ changes: Change[]; ends: Map<string, number>; switches: bigint[] }> => {
  const policies = new Map([
    [policyV1.name, policyV1],
    ...(await readActivatedPolicies(fixture.log)).map((p) => [p.name, parsePolicyV1(p)] as const),
  ]);
  const ledgers = new Map([...policies].map(([name, policy]) => [name, new TrustLedger(policy)]));
  const ledgerOf = (name: string): TrustLedger => ledgers.get(name) ?? new TrustLedger(policyV1);
  const held = new Map<string, number>();
  const changes: Change[] = [];
  const switches: bigint[] = [];
  let active = policyV1.name;
  for (const recorded of await fixture.log.readAll({ after: null, countMax: 1_000_000 })) {
    const event = decodeRegistryEvent(recorded);
    const note = (agent: string): void => {
      const { score } = ledgerOf(active).score(agent);
      const previous = held.get(agent) ?? null;
      if (score === previous) return;
      held.set(agent, score);
      const position = String(recorded.position);
      changes.push({ agent, position, policy: active, score, previous, cause: recorded.type });
    };
    if (event.type === 'AgentRegistered') {
      for (const [name, policy] of policies) ledgerOf(name).setPrior(event.data.agentId, priorOf(policy, event.data));
      note(event.data.agentId);
    }
    const reviewed = event === null ? null : countingReview(event);
    if (reviewed !== null) {
      for (const ledger of ledgers.values()) ledger.record(reviewed.data.receiverAgentId, policyReview(reviewed));
      note(reviewed.data.receiverAgentId);
    }
    if (event.type === 'TrustPolicyActivated') {
      active = event.data.policy.name;
      switches.push(event.position);
      for (const agent of held.keys()) note(agent);
    }
  }
  return { changes, ends: held, switches };
};
const byPlace = (a: Change, b: Change): number =>
  Number(BigInt(a.position) - BigInt(b.position)) || (a.agent < b.agent ? -1 : 1);

/** Checks that the read models' history, scores, and answers as of positions on both sides of every switch equal the ledgers'. */
const ensureReported = async (): Promise<void> => {
  const { changes, ends, switches } = await reported();
  const kept = await fixture.query<Change>(
    `SELECT agent_id AS agent, position::text, trust_policy AS policy, trust_score AS score, previous_score AS previous, cause_type AS cause
     FROM read_models.trust_history`,
  );
  expect(kept.toSorted(byPlace)).toEqual(changes.toSorted(byPlace));
  expect(new Map((await scores()).map(({ agent, score }) => [agent, score]))).toEqual(ends);
  const moved = changes.filter(({ cause }) => cause === 'TrustPolicyActivated').map(({ agent }) => agent);
  const asked = [...new Set(moved)].slice(0, 8);
  expect(asked.length).toBeGreaterThan(5);
  for (const position of switches.flatMap((at) => [at - 1n, at, at + 200n])) {
    for (const agentId of asked) {
      const change = changes.findLast((each) => each.agent === agentId && BigInt(each.position) <= position);
      const asOf = { position: String(position) };
      const { agent } = await fixture.gateway.request(getPastAgent, { agentId, universe: production, asOf });
      const expected = change === undefined ? null : { trustScore: change.score };
      expect([agentId, position, agent && { trustScore: agent.trustScore }]).toEqual([agentId, position, expected]);
      const input = { agentId, universe: production, asOf, limit: 10, offset: 0 };
      const { trust } = await fixture.gateway.request(explainTrust, input);
      expect(trust && { trustScore: trust.trustScore }).toEqual(expected);
      if (trust !== null && agent !== null) {
        expect([trust.trustPolicy, agent.trustPolicy]).toEqual([await policyAt(position), await policyAt(position)]);
      }
    }
  }
};
const policyAt = async (position: bigint): Promise<string> => {
  const rows = await fixture.query<{ policy: string }>(
    `SELECT trust_policy AS policy FROM read_models.trust_policy_activation WHERE position <= ${position} ORDER BY ordinal DESC LIMIT 1`,
  );
  return rows[0]?.policy ?? 'v1';
};

describe('a switch of the trust policy', { timeout: 120_000 }, () => {
  it('killed before the append has changed nothing', async () => {
    const before = await scores();
    await killedAt('before', strict);
    expect(await readActivatedPolicies(fixture.log)).toEqual([policyV1]);
    expect(await scores()).toEqual(before);
    await reach(await record());
    expect(await replay()).toMatchObject({ switched: true, comparison: { rowsDiffering: 0 } });
  });

  it('killed after the append stops the live read models there: they report it, and continue to serve', async () => {
    await killedAt('after', strict);
    const head = (await fixture.log.headPosition()) ?? 0n;
    await waitFor(async () => (await status()).status === 'down', { description: 'the stop' });
    const stopped = await status();
    // What the error says is for operators: `/health` is public.
    expect(stopped.detail).toBe(`stopped at position ${head}`);
    const report = await fixture.instance.health?.();
    expect(report?.parts['projection']?.detail).toContain('trust policy strict is in force from here on');
    expect(report?.parts['projection']?.detail).toContain('npm run replay');
    expect(BigInt(stopped.position ?? 0)).toBe(head - 1n);
    await record();
    const [one] = await scores();
    const agentId = one?.agent ?? '';
    const asked = { agentId, universe: production, limit: 10, offset: 0 };
    expect((await fixture.gateway.request(getTrustHistory, asked)).history?.length).toBeGreaterThan(0);
    expect((await scores()).every(({ policy }) => policy === 'v1')).toBe(true);
    expect(BigInt((await status()).position ?? 0)).toBe(head - 1n);
  });

  it('is not started by another policy meanwhile, and is finished by the same one', async () => {
    await expect(activate({ ...strict, name: 'stricter' })).rejects.toMatchObject({ code: 'trust_policy_outdated' });
    const finished = await activate(strict);
    expect(finished).toMatchObject({ wasFinished: true, previousPolicy: 'v1', report: { switched: true } });
    expect(await readActivatedPolicies(fixture.log)).toEqual([policyV1, strict]);
    await reach(String(await fixture.log.headPosition()));
    await waitFor(async () => (await status()).status === 'ok', { timeoutMs: 20_000, description: 'the release' });
    expect((await scores()).every(({ policy }) => policy === 'strict')).toBe(true);
    await ensureReported();
  });

  it('is refused if it changes nothing, and nothing is built then', async () => {
    await expect(activate(strict)).rejects.toMatchObject({ code: 'trust_policy_active' });
    const constants = policyV1.constants;
    await expect(activate({ ...strict, constants })).rejects.toMatchObject({ code: 'trust_policy_name_taken' });
  });

  it('keeps both scores of every agent', async () => {
    const [{ agents, moved } = { agents: 0, moved: 0 }] = await fixture.query<{ agents: number; moved: number }>(
      `SELECT count(*)::int AS agents, (count(*) FILTER (WHERE previous_score <> trust_score))::int AS moved
       FROM read_models.trust_policy_switch WHERE previous_policy = 'v1' AND trust_policy = 'strict'`,
    );
    const { changes } = await reported();
    expect(agents).toBe(41);
    expect(moved).toBe(changes.filter(({ cause }) => cause === 'TrustPolicyActivated').length);
  });

  it('works while the registry is in use, also to an earlier policy, and a later replay is equal', async () => {
    const life = (async () => {
      let last = '0';
      for (let count = 0; count < 5; count += 1) last = await record();
      return last;
    })();
    const [{ report, wasFinished }, last] = await Promise.all([activate(policyV1), life]);
    expect([report.switched, wasFinished]).toEqual([true, false]);
    expect(BigInt(last)).toBeGreaterThan(0n);
    await reach(await record());
    await ensureReported();
    expect(await replay()).toMatchObject({ switched: true, comparison: { rowsDiffering: 0 } });
    await ensureReported();
  });

  it('leaves a log from which a live runner builds the same, row for row', async () => {
    const schema = 'read_models_again';
    const readModel = await registryReadModel({ policies: () => readActivatedPolicies(fixture.log) });
    const session = await openWriterSession(connection(), schema);
    await createSchema(session, schema, readModel.schema);
    await session.end();
    const shared = { connection: connection(), schema, log: fixture.log, readModel };
    const runner = startRunner({ ...shared, batchEventsMax: 97 });
    const head = await fixture.log.headPosition();
    await waitFor(() => runner.status().position === head, { timeoutMs: 60_000, description: 'the end of the log' });
    await runner.stop();
    expect(await replayReadModel(shared)).toMatchObject({ switched: true, comparison: { rowsDiffering: 0 } });
  });
});
