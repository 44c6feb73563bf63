/**
 * Bugs: the demo plays in another registry than the one that runs, ends before its story does, or prints links that lead nowhere. Method: `npm run demo`
 * as a process of its own beside the running system, and every link that it prints.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createRegistryClient } from '@agent-trust/client';
import type { Stack } from '@agent-trust/dev-stack';
import { expect, it } from 'vitest';
import { compileCache } from '../../support/compile-cache.ts';

const demo = fileURLToPath(new URL('../../../packages/dev-stack/src/main/demo.ts', import.meta.url));
/** The story takes seconds. One that hangs is ended before the test is. */
const demoMsMax = 180_000;

export function testDemoCommand(stackOf: () => Stack): void {
  it('plays in the running registry, and prints links of the console to each agent of its story', async () => {
    const { url, dataDir } = stackOf();
    const { stdout } = await promisify(execFile)(process.execPath, [demo], {
      env: { ...process.env, ...compileCache, DATA_DIR: dataDir, NO_COLOR: '1' },
      timeout: demoMsMax,
    });
    expect(stdout).toContain(`Using the registry that runs at ${url}`);
    expect(stdout).toContain('Every row is the same, and so is every score.');
    const links = stdout.match(/https?:\S+/gu)?.filter((link) => link.startsWith(`${url}/`)) ?? [];
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect([link, (await fetch(link)).status]).toEqual([link, 200]);
    const agentIds = links
      .filter((link) => link.startsWith(`${url}/console/agents/`))
      .map((link) => decodeURIComponent(new URL(link).pathname.split('/').at(-1) ?? ''));
    expect(agentIds.length).toBeGreaterThan(1);
    const registry = createRegistryClient({ baseUrl: url });
    for (const id of agentIds) expect((await registry.verify({ agent_id: id })).trust_policy).toBe('v2');
    expect(stdout).toContain('docs/trust-policy.md');
  });
}
