import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { policyV1 } from '@agent-trust/trust-policy';
import { expect, it, onTestFinished } from 'vitest';
import { findPolicy } from './find-policy.ts';

it('words the faults of a policy file like those of a request', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'policy-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const find = async (policy: object): Promise<string> => {
    await writeFile(join(folder, 'p.json'), JSON.stringify(policy));
    return findPolicy('p.json', [], folder).then(({ name }) => name, String);
  };
  const good = { ...policyV1, name: 'p', priors: { verified: 75, unverified: 40 } };
  expect(await find(good)).toBe('p');
  const { formula: _, ...bad } = { ...good, priors: { verified: 101, unverified: 40 } };
  expect(await find(bad)).toContain('  formula: is required\n  priors.verified: must be at most 100');
});
