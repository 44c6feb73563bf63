/*
 * Bugs: an operator is told that all is well while a service is gone; a replay's end is not the command's exit code.
 * Method: the real commands against the whole system.
 */
import { resolve } from 'node:path';
import { waitFor } from '@agent-trust/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { get, stack } from '../support/ask.ts';
import { createOperatorKey } from '../support/operators.ts';
import { done, newUser, type RunOptions, type User } from '../support/cli.ts';

let user: User;
beforeAll(async () => {
  user = await newUser();
});
afterAll(() => user.stop());

const asOperator: RunOptions = { env: { AGENT_TRUST_ADMIN_TOKEN: stack.adminToken } };

type Status = {
  instances: { service: string; version: string; role: string | null }[];
  services_missing: string[];
  health: { status: string };
};

describe('ops status', () => {
  it('lists every instance with its version, and who writes the read models', async () => {
    // An instance that a busy machine keeps from answering in time is missing at that moment.
    const status = await waitFor(async () => {
      const shown = (await user.json(['ops', 'status'], asOperator)) as unknown as Status;
      return shown.services_missing.length === 0 && shown.health.status === 'ok' ? shown : null;
    });
    expect(status).toMatchObject({ services_missing: [], poison_event: null, health: { status: 'ok' } });
    const services = status.instances.map(({ service }) => service);
    expect(new Set(services)).toEqual(
      new Set(['gateway', 'registry-write', 'trust-projection', 'call-proxy', 'pay-proxy']),
    );
    expect(status.instances.filter(({ role }) => role === 'active')).toHaveLength(1);
    expect(status.instances.every(({ version }) => /^\d+\.\d+\.\d+$/u.test(version))).toBe(true);
    const active = /trust-projection +\S+ +\d+\.\d+\.\d+ +\d+ \w+ +active/u;
    const stdout = await waitFor(async () => {
      const shown = await done(user.run(['ops', 'status'], asOperator));
      return active.test(shown.stdout) ? shown.stdout : null;
    });
    expect(stdout).toMatch(/behind by +\d+ events, [\d.]+ s \(at \d+ of \d+\)/u);
    expect(stdout).toMatch(/checkpoint +(?:none|[\d,]+ events, .* old)/u);
  });

  it('is for operators alone', async () => {
    expect((await user.run(['ops', 'status'])).code).toBe(3);
    expect((await get('/ops/status')).status).toBe(401);
  });
});

describe('ops whoami', () => {
  it('says which operator asks, and what it may do', async () => {
    const { name, key } = await createOperatorKey('viewer');
    const asViewer = { env: { AGENT_TRUST_OPERATOR_KEY: key } };
    const who = await user.json(['ops', 'whoami'], asViewer);
    expect(who).toMatchObject({ name, issuer: null, role: 'viewer', credential: 'operator_key' });
    const { stdout } = await done(user.run(['ops', 'whoami'], asViewer));
    expect(stdout).toMatch(new RegExp(`^ +operator +${name}$`, 'mu'));
    expect(stdout).not.toContain(key);
    expect((await done(user.run(['ops', 'whoami'], asOperator))).stdout).toContain('(break-glass)');
    expect((await user.run(['ops', 'whoami'])).code).toBe(3);
  });
});

describe('ops lag', () => {
  it('makes a lag an exit code', async () => {
    const lag = await user.json(['ops', 'lag', '--max-events', '1000000', '--max-seconds', '3600'], asOperator);
    expect(lag).toMatchObject({ events: expect.any(Number) as number, seconds: expect.any(Number) as number });
    expect((await done(user.run(['ops', 'lag'], asOperator))).stdout).toMatch(/^ +events +\d+$/mu);
  });
});

describe('ops policy', () => {
  const example = `@${resolve(import.meta.dirname, '../../docs/policies/strict-2026.json')}`;

  it('tries the documented policy, and says who would move', { timeout: 500_000 }, async () => {
    // One trial runs at a time, and another test may have its own under way.
    let tried = await user.run(['ops', 'policy', 'try', example, '--top', '10'], asOperator);
    await waitFor(
      async () => {
        if (!tried.stderr.includes('policy_job_in_progress')) return true;
        tried = await user.run(['ops', 'policy', 'try', example, '--top', '10'], asOperator);
        return false;
      },
      { timeoutMs: 400_000 },
    );
    expect([tried.code, tried.stderr.includes('policy_job_in_progress')]).toEqual([0, false]);
    expect(tried.stdout).toContain('strict-2026');
  });

  it('activates no policy that is in force already', async () => {
    const refused = await user.run(['ops', 'policy', 'activate', 'v1', '--yes', '--watch'], asOperator);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('trust_policy_active');
  });
});

describe('ops replay', () => {
  it('is watched to its end, shown afterwards, and cannot be cancelled then', async () => {
    // Another file may replay at this moment.
    let shown = '';
    await waitFor(
      async () => {
        const { code, stdout, stderr } = await user.run(['ops', 'replay', '--watch'], asOperator);
        if (code === 6) return false;
        expect([code, stderr]).toEqual([0, expect.stringMatching(/building|comparing|switch/u)]);
        shown = stdout;
        return true;
      },
      { timeoutMs: 300_000 },
    );
    const [, id = ''] = /replay +(\S+)/u.exec(shown) ?? [];
    expect(shown).toMatch(/state +switched: [\d,]+ events, 0 rows differ/u);
    expect((await done(user.run(['ops', 'replays'], asOperator))).stdout).toContain(id);
    expect(await user.json(['ops', 'replays', id], asOperator)).toMatchObject({ replay_id: id, state: 'switched' });
    expect((await user.run(['ops', 'cancel-replay', id], asOperator)).code).toBe(6);
    expect((await user.run(['ops', 'replays', '5b0c9f4e-2f6b-4c1e-9a57-0c1d2e3f4a5b'], asOperator)).code).toBe(5);
    expect((await user.run(['ops', 'replays', '--watch'], asOperator)).code).toBe(2);
  }, 400_000);
});
