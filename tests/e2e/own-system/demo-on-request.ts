/**
 * Bugs: two demos play at once; a page cannot follow the demo, or shows another story than the registry has; the demo goes on after `npm start`, or
 * leaves a key that works; it uses a secret of the installation.
 * Method: what `npm start` opens beside the system, and requests as a page sends them.
 */
import type { Stack } from '@agent-trust/dev-stack';
import { openSupervisor, type Supervisor } from '@agent-trust/dev-stack/supervisor';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@agent-trust/test-kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bearer, httpTo } from '../../support/registry.ts';
import { served } from '../../support/served.ts';

type Step = { kind: string; agent_id: string | null; transaction_id: string | null; trust_score: number | null };
type Demo = { state: string; steps: Step[]; requested_by: string; error: string | null };

export function testDemoOnRequest(stackOf: () => Stack): void {
  let supervisor: Supervisor;
  let http: ReturnType<typeof httpTo>;
  let auth: Record<string, string>;
  const demo = async (): Promise<Demo> => (await http.get('/ops/demo', auth)).body as unknown as Demo;
  /** Uses of the secrets of the installation that were logged so far. */
  const emergencies = (): number =>
    ['gateway.log', 'gateway-2.log']
      .map((name) => readFileSync(join(stackOf().dataDir, 'logs', name), 'utf8'))
      .join('')
      .split('which names nobody').length;
  const play = (pauseMs: number) => http.post('/ops/demo', { pause_ms: pauseMs }, auth);
  const until = (state: string): Promise<unknown> =>
    waitFor(async () => (await demo()).state === state, { timeoutMs: 120_000, description: `the demo to be ${state}` });

  beforeAll(async () => {
    http = httpTo(stackOf().url);
    // Nothing has opened it yet.
    const absent = await http.get('/ops/demo', bearer(stackOf().adminToken));
    expect([absent.status, absent.body['code']]).toEqual([404, 'demo_absent']);
    supervisor = await openSupervisor(stackOf());
    const signedIn = await http.post('/ops/sign-in', { code: supervisor.makeCode() }, {});
    expect(signedIn.status).toBe(201);
    auth = bearer(String(signedIn.body['key']));
  });
  afterAll(() => supervisor?.stop());

  it('a printed code is worth one sign-in', async () => {
    const code = supervisor.makeCode();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        served(() => httpTo(stackOf().urls[index % 2] ?? '').post('/ops/sign-in', { code }, {})),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      201,
      ...Array<number>(9).fill(400),
    ]);
  });

  it('plays the story once at a time, and each step is what the registry says', async () => {
    expect((await demo()).state).toBe('idle');
    const before = emergencies();
    expect(await play(0)).toMatchObject({ status: 202, body: { state: 'running', steps: [] } });
    const again = await play(0);
    expect([again.status, again.body['code']]).toEqual([409, 'demo_in_progress']);
    await until('finished');
    const { steps, error, requested_by } = await demo();
    expect([error, requested_by]).toEqual([null, expect.stringMatching(/^operator npm-start\.console-/u)]);
    const kinds = ['chapter', 'registered', 'found', 'called', 'reviewed', 'judged'];
    expect(kinds.filter((kind) => !steps.some((step) => step.kind === kind))).toEqual([]);
    for (const { agent_id: id, trust_score: score } of steps.filter(
      (step) => step.kind === 'judged' && step.trust_score,
    )) {
      const verdict = await http.post('/verify', { agent_id: id }, {});
      expect(verdict.body['trust_score']).toBe(score);
    }
    const called = steps.filter(({ kind }) => kind === 'called');
    expect(new Set(called.map(({ transaction_id: id }) => id)).size).toBe(6);
    const { list: keys } = await http.get('/ops/keys', auth);
    expect(workingAdmins(keys)).toEqual([]);
    expect(emergencies()).toBe(before);
  });

  it('ends in the middle when npm start stops', async () => {
    expect((await play(3_000)).status).toBe(202);
    await waitFor(async () => (await demo()).steps.length > 0, { description: 'the first step' });
    await supervisor.stop();
    const absent = await http.get('/ops/demo', auth);
    expect([absent.status, absent.body['code']]).toEqual([404, 'demo_absent']);
    const { list: keys } = await http.get('/ops/keys', auth);
    expect(workingAdmins(keys)).toEqual([]);
  });
}

/** Keys that `npm start` made for itself and that still work; other tests of this system have keys of their own. */
const workingAdmins = (keys: unknown): unknown[] =>
  (keys as { name: string; status: string; role: string }[]).filter(
    ({ name, status, role }) => name.startsWith('npm-start.') && status === 'active' && role === 'admin',
  );
