import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BadPolicyError, policyV1 } from '@agent-trust/trust-policy';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findPolicy } from './find-policy.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'policy-'));
});
afterAll(() => rm(folder, { recursive: true }));

const good = { ...policyV1, name: 'p', priors: { verified: 75, unverified: 40 } };
const write = (name: string, content: object | string): Promise<void> =>
  writeFile(
    join(folder, name),
    typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content),
  );

it('words the faults of a policy file like those of a request', async () => {
  const find = async (policy: object): Promise<string> => {
    await write('p.json', policy);
    return findPolicy('p.json', [], folder).then(({ name }) => name, String);
  };
  expect(await find(good)).toBe('p');
  const { name: _, ...bad } = { ...good, priors: { verified: 101, unverified: 40 } };
  expect(await find(bad)).toContain('  name: is required\n  priors.verified: must be at most 100');
  // Without a formula nobody knows what else is wrong.
  const { formula: __, ...formless } = good;
  expect(await find(formless)).toContain('  formula: is required');
});

it.each([
  ['nowhere.json', null, /is neither a file/],
  ['broken.json', '{"name":', /is not JSON/],
  ['terminal.json', '\u001b]0;owned\u0007\u009b2J', /is not JSON [^\p{Cc}]*$/u],
  ['latin.json', Buffer.from('{"name":"\xe9"}', 'latin1'), /is not UTF-8/],
  ['long.json', ' '.repeat(70_000), /is longer than 65536 bytes/],
  ['slip.json', { ...good, constants: { ...good.constants, strenght: 3 } }, /strenght/],
  ['range.json', { ...good, constants: { ...good.constants, halfLifeDays: 0 } }, /constants\.halfLifeDays/],
  ['v1.json', { ...good, name: 'v1' }, /choose another name/],
  ['.', null, /is not a file|cannot be read/],
])('refuses %s', async (name, content, fault) => {
  if (content !== null) await write(name, content);
  const found = findPolicy(name, [policyV1], folder);
  await expect(found).rejects.toThrow(BadPolicyError);
  await expect(found).rejects.toThrow(fault);
});
