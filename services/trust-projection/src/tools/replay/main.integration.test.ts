import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeHistory } from '../../testing/made-history.ts';
import { createServiceFixture, type ServiceFixture } from '../../testing/service-fixture.ts';

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = await createServiceFixture();
  const position = await fixture.record(...makeHistory({ agents: 40, exchanges: 300, seed: 3 }));
  await fixture.untilVisible(position);
});
afterAll(() => fixture.close());

const command = fileURLToPath(new URL('./main.ts', import.meta.url));
const replay = async (...args: string[]): Promise<{ code: unknown; output: string; complaints: string }> => {
  const env = { ...process.env, DATABASE_URL: fixture.url, EVENT_LOG_URL: fixture.url };
  const child = spawn(process.execPath, [command, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, complaints, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, output, complaints };
};

describe('npm run replay', () => {
  it('exits with 0 if all rows are equal, while the service continues to serve', async () => {
    const { code, output } = await replay();
    expect([code, output]).toEqual([0, expect.stringContaining('all are equal')]);
    const position = await fixture.record(...makeHistory({ agents: 1, exchanges: 0, seed: 4 }).slice(0, 2));
    await fixture.untilVisible(position);
  });

  it('exits with 3 and shows the rows if some differ, and with 0 if that is accepted', async () => {
    await fixture.query(`UPDATE read_models.agent_standing SET trust_score = 99 WHERE agent_id = 'agent-3'`);
    const differing = await replay();
    expect(differing.code).toBe(3);
    expect(differing.output).toMatch(/agent_standing: .*agent-3.*\n +trust_score: live 99, replayed \d+/);
    expect(await replay('--accept-differences')).toMatchObject({ code: 0, complaints: '' });
    expect(await replay()).toMatchObject({ code: 0, complaints: '' });
  });

  it('exits with 2 for an unknown argument', async () => {
    expect(await replay('--force')).toMatchObject({
      code: 2,
      complaints: expect.stringContaining('--force') as string,
    });
  });
});
