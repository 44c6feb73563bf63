/*
 * Bugs: a trial says something else than the tool; a job is called running after its process has died, runs on when nobody waits, or feels its
 * cancellation never; two run at a time; its process gets the secrets of the service; what is kept grows.
 * Method: the real service on a real log starts real processes; they are killed, and stopped, where they wait for a lock on a table.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import {
  type Actor,
  cancelPolicySimulation,
  cancelPolicyTrial,
  findPolicyTrialAgent,
  findSimulatedCourse,
  limits,
  listPolicies,
  listPolicySimulations,
  listPolicyTrialAgents,
  listPolicyTrials,
  type PolicySimulation,
  type PolicyTrial,
  startPolicySimulation,
  startPolicyTrial,
} from '@agent-trust/contracts';
import { waitFor } from '@agent-trust/test-kit';
import { gateTableV2 } from '@agent-trust/simulation';
import { policyV1, policyV2 } from '@agent-trust/trust-policy';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { makeHistory } from '../testing/made-history.ts';
import { createServiceFixture, type ServiceFixture } from '../testing/service-fixture.ts';
import { comparePolicies } from '../tools/whatif/compare-policies.ts';
import { openLabStore } from './lab-store.ts';
import { labLimits } from './limits.ts';

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = await createServiceFixture();
  const position = await fixture.record(...makeHistory({ agents: 40, exchanges: 300, seed: 5 }));
  await fixture.untilVisible(position);
});
afterAll(() => fixture.close());

const actor: Actor = { kind: 'operator', id: 'night-watch', credentials: ['operator_key'] };
const heavier = { ...policyV1, name: 'heavier', constants: { ...policyV1.constants, strength: 20, halfLifeDays: 30 } };
/** Starting a process takes long on a busy machine. */
const jobsMs = 120_000;

const trial = async (): Promise<PolicyTrial> =>
  (await fixture.gateway.request(startPolicyTrial, { policy: heavier, actor })).trial;
const simulation = async (count = 1): Promise<PolicySimulation> =>
  (await fixture.gateway.request(startPolicySimulation, { policy: 'v1', actor, seeds: { first: 1, count } }))
    .simulation;
const trialOf = async (trialId: string): Promise<PolicyTrial> => {
  const { trials } = await fixture.gateway.request(listPolicyTrials, { trialId });
  return trials[0] ?? Promise.reject(new Error(`there is no trial ${trialId}`));
};
const simulationOf = async (simulationId: string): Promise<PolicySimulation> => {
  const { simulations } = await fixture.gateway.request(listPolicySimulations, { simulationId });
  return simulations[0] ?? Promise.reject(new Error(`there is no simulation ${simulationId}`));
};
const until = async <Job extends { state: string }>(
  find: () => Promise<Job>,
  isReached: (job: Job) => boolean,
): Promise<Job> => {
  await waitFor(async () => isReached(await find()), { timeoutMs: 90_000 });
  return find();
};
const isOver = ({ state }: { state: string }): boolean => state !== 'starting' && state !== 'running';
const isRunning = ({ state }: { state: string }): boolean => state === 'running';
const seenIn = async (jobId: string): Promise<string | undefined> =>
  (await fixture.query<{ state: string }>(`SELECT state FROM policy_lab.job WHERE job_id = '${jobId}'`))[0]?.state;

/** Holds jobs up where they keep their first result, until the test ends or releases it. */
const blockResults = async (): Promise<() => Promise<void>> => {
  const client = new pg.Client({ connectionString: fixture.url });
  await client.connect();
  await client.query('BEGIN; LOCK TABLE policy_lab.item IN SHARE MODE');
  let isReleased = false;
  const release = async (): Promise<void> => {
    if (isReleased) return;
    isReleased = true;
    await client.query('ROLLBACK');
    await client.end();
  };
  onTestFinished(release);
  return release;
};

describe('the policies', () => {
  it('are listed with their documents, and which is in force', async () => {
    const { policies } = await fixture.gateway.request(listPolicies, {});
    expect(policies).toEqual([
      { name: 'v1', inForce: true, builtIn: true, activatedAt: null, position: null, document: policyV1 },
      { name: 'v2', inForce: false, builtIn: true, activatedAt: null, position: null, document: policyV2 },
    ]);
  });
});

describe('a trial', () => {
  it(
    'says what the tool says, page by page, with a chart of each agent that ends in its two scores',
    async () => {
      const begun = await trial();
      expect(begun).toMatchObject({ state: 'starting', policy: 'heavier', requestedBy: 'operator night-watch' });
      const done = await until(() => trialOf(begun.trialId), isOver);
      const compared = await comparePolicies(fixture.log, { from: policyV1, to: heavier }, 0);
      expect(compared.moves.length).toBeGreaterThan(5);
      expect(done).toMatchObject({
        state: 'done',
        error: null,
        progress: { step: 'keep', fraction: 1 },
        result: {
          inForce: 'v1',
          position: String(compared.position),
          events: compared.events,
          agents: compared.agents,
          moved: compared.moves.length,
          agentsKept: compared.moves.length,
          changes: [
            { constant: 'constants.strength', inForce: 5, onTrial: 20 },
            { constant: 'constants.halfLifeDays', inForce: 90, onTrial: 30 },
          ],
        },
      });
      const page = (offset: number) =>
        fixture.gateway.request(listPolicyTrialAgents, { trialId: begun.trialId, limit: 3, offset });
      const [first, second] = await Promise.all([page(0), page(3)]);
      expect(first.total).toBe(compared.moves.length);
      expect([...first.agents, ...second.agents].map(({ agentId }) => agentId)).toEqual(
        compared.moves.slice(0, 6).map(({ agentId }) => agentId),
      );
      for (const listed of first.agents) {
        const { agent } = await fixture.gateway.request(findPolicyTrialAgent, {
          trialId: begun.trialId,
          agentId: listed.agentId,
        });
        expect(agent).toMatchObject(listed);
        expect(agent?.history.at(-1)).toMatchObject({
          trustScore: listed.trustScore,
          trialScore: listed.trialScore,
        });
        expect(agent?.history.length).toBeGreaterThan(1);
        const sum = agent?.parts.reduce((total, part) => total + part.trialPoints - part.points, 0) ?? Number.NaN;
        expect(Math.abs(sum - listed.change)).toBeLessThan(1);
      }
      const nobody = await fixture.gateway.request(findPolicyTrialAgent, { trialId: begun.trialId, agentId: 'nobody' });
      expect(nobody.agent).toBeNull();
      const ended = fixture.gateway.request(cancelPolicyTrial, { trialId: begun.trialId });
      await expect(ended).rejects.toMatchObject({ code: 'policy_job_ended' });
    },
    jobsMs,
  );

  it(
    'compares formulas, and says what the record, caps and standing of roots do',
    async () => {
      const { trial: begun } = await fixture.gateway.request(startPolicyTrial, { policy: 'v2', actor });
      const done = await until(() => trialOf(begun.trialId), isOver);
      expect(done).toMatchObject({
        state: 'done',
        result: { changes: [{ constant: 'formula', inForce: 'v1', onTrial: 'v2' }] },
      });
      const asked = { trialId: begun.trialId, limit: 1, offset: 0 };
      const [listed] = (await fixture.gateway.request(listPolicyTrialAgents, asked)).agents;
      const agentId = listed?.agentId ?? '';
      const { agent } = await fixture.gateway.request(findPolicyTrialAgent, { trialId: begun.trialId, agentId });
      expect(agent?.effects).toEqual([]);
      const roots = agent?.parts.filter(({ kind }) => kind === 'root') ?? [];
      expect(roots.length).toBeGreaterThan(0);
      expect(roots.map(({ established }) => established)).toEqual(roots.map(() => null));
      const onTrial = roots.filter(({ trialPoints }) => trialPoints !== 0);
      expect(onTrial.map(({ trialEstablished, trialCap }) => [typeof trialEstablished, typeof trialCap])).toEqual(
        onTrial.map(() => ['boolean', 'number']),
      );
      expect(agent?.history.at(-1)).toMatchObject({ trialScore: listed?.trialScore });
    },
    jobsMs,
  );

  it(
    'runs one at a time, shows no agents before it is done, and is interrupted if its process is killed',
    async () => {
      const release = await blockResults();
      const { trialId } = await trial();
      await expect(trial()).rejects.toMatchObject({ code: 'policy_job_in_progress' });
      await until(() => trialOf(trialId), isRunning);
      const agents = fixture.gateway.request(listPolicyTrialAgents, { trialId, limit: 1, offset: 0 });
      await expect(agents).rejects.toMatchObject({ code: 'policy_job_not_done' });
      const [child] = childrenWith(trialId);
      expect(child?.variables.filter((name) => /SECRET|SIGNING|PERSONAL|WEBHOOK|NATS/u.test(name))).toEqual([]);
      process.kill(child?.pid ?? -1, 'SIGKILL');
      const over = await until(() => trialOf(trialId), isOver);
      expect(over).toMatchObject({ state: 'interrupted', result: null, error: expect.any(String) as string });
      await release();
      const next = await trial();
      expect((await until(() => trialOf(next.trialId), isOver)).state).toBe('done');
    },
    jobsMs,
  );

  it('is refused for a policy that nobody knows, and for a name that means another one', async () => {
    const of = (policy: 'nowhere' | typeof heavier) => fixture.gateway.request(startPolicyTrial, { policy, actor });
    await expect(of('nowhere')).rejects.toMatchObject({ code: 'trust_policy_not_found' });
    await expect(of({ ...heavier, name: 'v1' })).rejects.toMatchObject({ code: 'trust_policy_name_taken' });
  });
});

describe('a simulation', () => {
  it(
    'has the figures and the course of every attack, and runs with a low priority',
    async () => {
      const begun = await simulation();
      await until(
        () => simulationOf(begun.simulationId),
        ({ attacks }) => attacks.length > 0,
      );
      const [child] = childrenWith(begun.simulationId);
      expect(getPriority(child?.pid ?? -1)).toBeGreaterThanOrEqual(10);
      const done = await until(() => simulationOf(begun.simulationId), isOver);
      expect(done).toMatchObject({ state: 'done', proven: true, progress: { fraction: 1 } });
      expect(done.attacks).toHaveLength(done.attacksTotal);
      const ring = done.attacks.find(({ attack }) => attack === 'ring');
      expect(ring).toMatchObject({ control: 'cap switched off', proven: true });
      expect(ring?.figures[0]).toMatchObject({ gate: { relation: '<', limit: 70 }, worst: 52, values: [52] });
      const course = async (attack: string) =>
        (await fixture.gateway.request(findSimulatedCourse, { simulationId: begun.simulationId, attack })).course;
      const ofRing = await course('ring');
      expect(new Set(ofRing?.tracks.map(({ by }) => by))).toEqual(new Set(['policy', 'control']));
      for (const { steps, scores } of ofRing?.tracks ?? []) {
        expect(steps.length).toBe(scores.length);
        expect(steps.length).toBeLessThanOrEqual(801);
      }
      expect(await course('nothing')).toBeNull();
    },
    jobsMs,
  );

  it(
    'attacks a policy of formula v2 by the table of v2, where a figure may have several controls',
    async () => {
      const { simulation: begun } = await fixture.gateway.request(startPolicySimulation, {
        policy: 'v2',
        actor,
        seeds: { first: 1, count: 1 },
      });
      expect(begun.attacksTotal).toBe(gateTableV2.length);
      const { simulationId } = begun;
      const some = await until(
        () => simulationOf(simulationId),
        ({ attacks }) => attacks.some(({ attack }) => attack === 'ring'),
      );
      const attack = some.attacks.find((one) => one.attack === 'ring');
      expect(attack?.figures.length).toBeGreaterThan(0);
      for (const { values, controls, missedSeeds } of attack?.figures ?? []) {
        expect([values.length, missedSeeds]).toEqual([1, []]);
        for (const { name, passedSeeds } of controls) expect([name.length > 0, passedSeeds]).toEqual([true, []]);
      }
      expect(attack?.figures.some(({ gate, controls }) => gate !== null && controls.length > 0)).toBe(true);
      const asked = { simulationId, attack: attack?.attack ?? '' };
      const { course } = await fixture.gateway.request(findSimulatedCourse, asked);
      expect(new Set(course?.tracks.map(({ by }) => by))).toEqual(new Set(['policy', 'control']));
      await fixture.gateway.request(cancelPolicySimulation, { simulationId }).catch(() => undefined);
      await until(() => simulationOf(simulationId), isOver);
    },
    jobsMs,
  );

  it(
    'stops when it is cancelled',
    async () => {
      const { simulationId } = await simulation(limits.simulationSeedsMax);
      await until(() => simulationOf(simulationId), isRunning);
      await fixture.gateway.request(cancelPolicySimulation, { simulationId });
      expect(await until(() => simulationOf(simulationId), isOver)).toMatchObject({ state: 'stopped', proven: null });
    },
    jobsMs,
  );

  it(
    'is abandoned when nobody asks for it',
    async () => {
      const { simulationId } = await simulation(limits.simulationSeedsMax);
      await until(() => simulationOf(simulationId), isRunning);
      await fixture.query(
        `UPDATE policy_lab.job SET asked_at = now() - interval '${labLimits.unaskedMs + 1} milliseconds' WHERE job_id = '${simulationId}'`,
      );
      // Not by a request, which would be somebody who asks.
      await waitFor(async () => (await seenIn(simulationId)) !== 'running', { timeoutMs: 60_000 });
      expect(await seenIn(simulationId)).toBe('abandoned');
    },
    jobsMs,
  );
});

describe('the record of trials and simulations', () => {
  it('ends one whose process shows itself no more, and keeps a bounded number for a bounded time', async () => {
    const store = await openLabStore(fixture.url);
    onTestFinished(() => store.close());
    const begin = (jobId: string) =>
      store.begin({ jobId, kind: 'trial', request: { policy: heavier }, requestedBy: actor, instanceId: null });
    const progress = { step: 'compare', done: 1, total: 2, fraction: 0.5 };
    await begin('dead');
    const living = await store.live('dead');
    expect(await store.progressed('dead', progress)).toBeNull();
    expect(await store.find('trial', 'dead')).toMatchObject({ state: 'running' });
    expect(await store.find('simulation', 'dead')).toBeNull();
    living.release();
    await waitFor(async () => (await store.find('trial', 'dead'))?.state === 'interrupted');
    // A process that was declared dead must stop: another may run by now.
    expect(await store.progressed('dead', progress)).toBe('cancelled');
    for (let count = 0; count < labLimits.keptMax + 3; count += 1) {
      const jobId = `job-${count}`;
      await begin(jobId);
      await store.keep(jobId, [{ ordinal: 0, name: 'a', shown: {}, detail: {} }]);
      await store.ended(jobId, 'failed', { error: 'a test' });
    }
    expect((await store.list('trial')).length).toBeLessThanOrEqual(labLimits.keptMax + 1);
    await fixture.query(
      `UPDATE policy_lab.job SET ended_at = now() - interval '${labLimits.keptMs + 1} milliseconds' WHERE kind = 'trial'`,
    );
    expect(await store.list('trial')).toEqual([]);
    const items = await fixture.query(
      `SELECT 1 FROM policy_lab.item WHERE job_id NOT IN (SELECT job_id FROM policy_lab.job)`,
    );
    expect(items).toEqual([]);
  });
});

/** Processes of this job with the names of the variables that they were given. */
const childrenWith = (jobId: string): { pid: number; variables: string[] }[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .flatMap((name) => {
      try {
        if (!readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').includes(jobId)) return [];
        const entries = readFileSync(`/proc/${name}/environ`, 'utf8').split('\0');
        return [{ pid: Number(name), variables: entries.map((entry) => entry.split('=')[0] ?? '') }];
      } catch {
        return [];
      }
    });
