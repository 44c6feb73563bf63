/**
 * Bugs: something that was acknowledged before or while the disk was full is missing afterwards; a part of the system does not come back by itself when
 * there is room again: nats-server locks itself up, Postgres ends, a supervisor gives up or waits too long.
 * Method: the data folder is a small disk of its own. Clients work without pause while it is filled for twenty seconds, and freed.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { createOrganisation, unique } from '../support/registry.ts';
import { type ChaosRegistry, startChaosRegistry } from './support/chaos-registry.ts';
import { expectNothingLostOrDoubled, unexplained, untilHealthy } from './support/invariants.ts';
import { type Attempt, figures, type Load, startLoad } from './support/load.ts';
import { answerText } from './support/recording-agent.ts';
import { canMountDisks, mountDisk, type SmallDisk, whyNoDisk } from './support/small-disk.ts';
import { waitFor } from './support/wait-for.ts';

const diskBytes = 480_000_000;
const fullMs = 20_000;
const kinds: readonly Attempt['kind'][] = ['register', 'redeem', 'call', 'stream', 'review', 'verify'];

describe.runIf(canMountDisks)(`a full disk${whyNoDisk}`, () => {
  let disk: SmallDisk;
  let registry: ChaosRegistry<'unary' | 'streaming'>;
  let load: Load;
  beforeAll(async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'chaos-full-'));
    disk = mountDisk(dataDir, diskBytes);
    const clean = (): void => {
      disk.unmount();
      rmSync(dataDir, { recursive: true, force: true });
    };
    registry = await startChaosRegistry({
      dataDir,
      agents: { unary: answerText, streaming: answerText },
      callers: 2,
      callerFields: () => ({ org_domain: `${unique('caller')}.example` }),
    }).catch((error: unknown) => {
      clean();
      throw error;
    });
    const { key: orgKey } = await createOrganisation(registry.stack);
    const receivers = { unary: registry.agents.unary.agentId, streaming: registry.agents.streaming.agentId };
    load = startLoad({ urls: registry.stack.urls, orgKey, callers: registry.callers, receivers });
    return async () => {
      disk.free();
      await load.stop();
      await registry.stop();
      clean();
    };
  });

  const untilWorking = async (since: number): Promise<void> => {
    await waitFor(() => kinds.every((kind) => load.acknowledgedSince(kind, since) > 0), {
      description: `a success of each of ${kinds.join(', ')}`,
    });
  };
  /** A registration with a key, for which JetStream has to write. */
  const registerKeyed = async (agentId: string, key: string): Promise<number | null> => {
    const body = { agent_id: agentId, contact_email: 'owner@agent.example' };
    const answer = await registry.http.post('/register', body, { 'idempotency-key': key }).catch(() => null);
    return answer?.status ?? null;
  };

  it('is recovered from without help when it is freed', async () => {
    await untilWorking(performance.now());
    await waitFor(async () => (await registerKeyed(unique('before'), randomUUID())) === 201, {
      description: 'a registration with a key',
    });
    const endOfFull = performance.now() + fullMs;
    const keyed: Promise<[agentId: string, status: number | null]>[] = [];
    // What is freed meanwhile, such as files of a server that has ended, is taken at once.
    while (performance.now() < endOfFull) {
      disk.fill();
      const agentId = unique('full');
      keyed.push(registerKeyed(agentId, randomUUID()).then((status) => [agentId, status]));
      await delay(100);
    }
    disk.free();
    // About ten seconds, more on a busy machine.
    await untilWorking(performance.now());
    await waitFor(async () => (await registerKeyed(unique('freed'), randomUUID())) === 201, {
      description: 'a registration with a key',
    });
    await untilHealthy(registry.stack);
    expect(registry.stack.isReady()).toBe(true);
    for (const [agentId, status] of await Promise.all(keyed)) {
      const { status: seen } = await registry.http.get(`/agent/${agentId}`);
      expect(status === 201 ? [agentId, seen] : [agentId, 200]).toEqual([agentId, 200]);
    }
  });

  it('has taken nothing that was acknowledged, and nothing counts twice', async () => {
    const attempts = await load.stop();
    if (process.env['CHAOS_FIGURES'] !== undefined) process.stderr.write(figures(attempts));
    expect(unexplained(attempts)).toEqual([]);
    await untilHealthy(registry.stack);
    const { unary, streaming } = registry.agents;
    await expectNothingLostOrDoubled(registry.stack, attempts, {
      [unary.agentId]: unary,
      [streaming.agentId]: streaming,
    });
  });
});
