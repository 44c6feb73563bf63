/*
 * Bugs: an operator may do more in the policy lab than its role allows, or an admin is refused; a document that is no policy starts a process; a
 * job runs on after its cancellation; pages and charts do not add up.
 * Method: the published client with keys of each role against the whole system, where other tests may try policies at the same time.
 */
import { createRegistryClient, RegistryError, type RegistryClient, type TrustPolicy } from '@agent-trust/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '@agent-trust/test-kit';
import { ask, createOrg, gateways, join } from '../support/ask.ts';
import { createOperatorKey, type TestOperator } from '../support/operators.ts';
import { unique } from '../support/registry.ts';

let viewer: TestOperator;
let operator: TestOperator;
let admin: TestOperator;
let asViewer: RegistryClient['ops'];
let asOperator: RegistryClient['ops'];

const opsOf = ({ key }: TestOperator): RegistryClient['ops'] =>
  createRegistryClient({ baseUrl: gateways[0] ?? '', adminToken: key }).ops;

beforeAll(async () => {
  [viewer, operator, admin] = await Promise.all([
    createOperatorKey('viewer'),
    createOperatorKey('operator'),
    createOperatorKey('admin'),
  ]);
  asViewer = opsOf(viewer);
  asOperator = opsOf(operator);
  const org = await createOrg();
  await join(org.key);
});

/** Starting a process takes long on a busy machine, and another test may run a job at this moment. */
const jobMs = 240_000;
/** Of a test: its wait for a turn, its job, and what is asked of it. */
const jobsMs = 3 * jobMs;
const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: unknown) => (error instanceof RegistryError ? error.code : String(error)),
  );
const begun = async <Job>(start: () => Promise<Job>): Promise<Job> => {
  let job: Job | undefined;
  await waitFor(
    async () => {
      job = await start().catch((error: unknown) => {
        if (error instanceof RegistryError && error.code === 'policy_job_in_progress') return undefined;
        throw error;
      });
      return job !== undefined;
    },
    { timeoutMs: jobMs },
  );
  return job as Job;
};
const over = async <Job extends { state: string }>(find: () => Promise<Job>): Promise<Job> => {
  const isOver = ({ state }: Job): boolean => state !== 'starting' && state !== 'running';
  await waitFor(async () => isOver(await find()), { timeoutMs: jobMs });
  return find();
};

const lower = async (): Promise<TrustPolicy> => {
  const { policies, in_force: name } = await asViewer.policies();
  const document = policies.find((one) => one.name === name)?.document;
  if (document?.formula !== 'v1') throw new Error('a policy of formula v1 is in force');
  return { ...document, name: unique('lower'), priors: { verified: 62, unverified: 31 } };
};

describe('GET /ops/policies', () => {
  it('has the policy in force and the schema of a document, with ranges and descriptions', async () => {
    const { schema, policies, in_force: name } = await asViewer.policies();
    expect(policies.filter(({ in_force: isInForce }) => isInForce).map((one) => one.name)).toEqual([name]);
    expect(schema).toMatchObject({
      type: 'object',
      additionalProperties: false,
      required: ['name', 'formula', 'constants', 'priors'],
      properties: {
        constants: {
          properties: {
            strength: { type: 'number', minimum: 0.1, maximum: 1_000, description: expect.any(String) as string },
            recentPerRootMax: { type: 'integer', minimum: 1, maximum: 100 },
          },
        },
      },
    });
  });
});

describe('a trial', () => {
  it(
    'is begun by an operator, read by a viewer, and counts all agents that it moves',
    async () => {
      const policy = await lower();
      const { trial_id: id } = await begun(() => asOperator.startPolicyTrial({ policy }));
      const done = await over(() => asViewer.policyTrial(id));
      expect(done).toMatchObject({
        state: 'done',
        policy: policy.name,
        requested_by: `operator ${operator.name}`,
        result: { changes: [{ constant: 'priors', in_force: null, on_trial: { verified: 62, unverified: 31 } }] },
      });
      const { result } = done;
      expect(result?.moved).toBeGreaterThan(0);
      expect((result?.up ?? 0) + (result?.down ?? 0)).toBe(result?.moved);
      const first = await asViewer.policyTrialAgents(id, { limit: 2 });
      expect(first.total).toBe(result?.agents_kept);
      const [agent] = first.agents;
      const detail = await asViewer.policyTrialAgent(id, agent?.agent_id ?? '');
      expect(detail).toMatchObject({ ...agent });
      expect(detail.history.at(-1)).toMatchObject({
        trust_score: agent?.trust_score,
        trial_score: agent?.trial_score,
      });
      expect((await asViewer.policyTrials()).map((one) => one.trial_id)).toContain(id);
      expect(await codeOf(asViewer.policyTrialAgent(id, unique('nobody')))).toBe('policy_trial_agent_not_found');
      expect(await codeOf(asOperator.cancelPolicyTrial(id))).toBe('policy_job_ended');
    },
    jobsMs,
  );

  it('is refused for what is no policy, with the place of each fault', async () => {
    const policy = await lower();
    const send = (body: unknown) =>
      ask('POST', '/ops/policy-trials', { headers: operator.auth, owner: true, body: body as Record<string, unknown> });
    const faults = async (body: unknown): Promise<unknown[]> => {
      const { status, body: answer } = await send(body);
      expect([status, answer['code']]).toEqual([422, 'validation_failed']);
      return (answer['detail'] as { loc: unknown }[]).map(({ loc }) => loc);
    };
    const constants = { ...policy.constants, strength: 0 };
    expect(await faults({ policy: { ...policy, constants } })).toEqual([['body', 'policy', 'constants', 'strength']]);
    expect(await faults({ policy: { ...policy, comment: 'x' } })).toEqual([['body', 'policy']]);
    expect(await faults({})).toEqual([['body', 'policy']]);
    expect(await faults({ policy: 'No Name' })).toEqual([['body', 'policy']]);
    const large = await send({ policy: { ...policy, comment: 'x'.repeat(70_000) } });
    expect([large.status, large.body['code']]).toEqual([413, 'payload_too_large']);
    expect(await codeOf(asOperator.startPolicyTrial({ policy: unique('nowhere') }))).toBe('trust_policy_not_found');
    expect(await codeOf(asOperator.startPolicyTrial({ policy: { ...policy, name: 'v1' } }))).toBe(
      'trust_policy_name_taken',
    );
  });
});

describe('a simulation', () => {
  it(
    'shows its gates as they are done, and stops when it is cancelled',
    async () => {
      const { simulation_id: id } = await begun(() =>
        asOperator.startPolicySimulation({ policy: 'v1', seeds: { first: 3, count: 20 } }),
      );
      const found = () => asViewer.policySimulation(id);
      expect(await codeOf(asOperator.startPolicySimulation({ policy: 'v1' }))).toBe('policy_job_in_progress');
      await waitFor(async () => (await found()).attacks.length > 0, { timeoutMs: jobMs });
      const [attack] = (await found()).attacks;
      expect(attack?.figures[0]?.values).toHaveLength(20);
      const course = await asViewer.simulatedCourse(id, attack?.attack ?? '');
      expect(course).toMatchObject({ attack: attack?.attack, seed: 3 });
      expect(course.tracks.every(({ steps, scores }) => steps.length === scores.length)).toBe(true);
      expect(await codeOf(asViewer.simulatedCourse(id, 'nothing'))).toBe('policy_attack_not_found');
      await asOperator.cancelPolicySimulation(id);
      expect(await over(found)).toMatchObject({ state: 'stopped', proven: null });
      expect((await asViewer.policySimulations()).map((one) => one.simulation_id)).toContain(id);
    },
    jobsMs,
  );

  it('has bounded seeds', async () => {
    const many = asOperator.startPolicySimulation({ policy: 'v1', seeds: { first: 1, count: 21 } });
    expect(await codeOf(many)).toBe('validation_failed');
  });
});

describe('an activation', () => {
  it('is for admins alone, and refused for what is in force, or is no policy', async () => {
    const { in_force: name } = await asViewer.policies();
    expect(await codeOf(asOperator.activatePolicy({ policy: name }))).toBe('operator_role_too_low');
    const asAdmin = opsOf(admin);
    expect(await codeOf(asAdmin.activatePolicy({ policy: name }))).toBe('trust_policy_active');
    expect(await codeOf(asAdmin.activatePolicy({ policy: unique('nowhere') }))).toBe('trust_policy_not_found');
    const policy = { ...(await lower()), name: 'v1' };
    expect(await codeOf(asAdmin.activatePolicy({ policy }))).toBe('trust_policy_name_taken');
  });
});
