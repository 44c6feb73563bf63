import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { trustPolicyStream } from '@agent-trust/contracts';
import {
  policyV1,
  priorOf,
  parsePolicyV1,
  scoreDirect,
  type Review,
  type TrustPolicy,
} from '@agent-trust/trust-policy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeRegistryEvent } from '../../projector/read-models/registry-event.ts';
import { makeHistory } from '../../testing/made-history.ts';
import { createServiceFixture, type ServiceFixture } from '../../testing/service-fixture.ts';
import { receivedReviews } from '../../testing/received-reviews.ts';

const strict = { ...policyV1, name: 'strict', constants: { ...policyV1.constants, strength: 12, badWeight: 3 } };

let fixture: ServiceFixture;
let folder: string;
beforeAll(async () => {
  fixture = await createServiceFixture();
  folder = await mkdtemp(join(tmpdir(), 'whatif-'));
  const position = await fixture.record(...makeHistory({ agents: 60, exchanges: 600, changes: 100, seed: 5 }));
  await fixture.untilVisible(position);
});
afterAll(async () => {
  await fixture.close();
  await rm(folder, { recursive: true });
});

const command = fileURLToPath(new URL('./main.ts', import.meta.url));
const whatif = async (...args: string[]): Promise<{ code: unknown; output: string; complaints: string }> => {
  const env = { ...process.env, EVENT_LOG_URL: fixture.url, INIT_CWD: folder };
  const child = spawn(process.execPath, [command, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, complaints, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, output, complaints };
};
const policyFile = async (name: string, content: unknown): Promise<string> => {
  await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return name;
};

/** Every score of the log, computed from the policy directly, without stored state. */
const directScores = async (policy: TrustPolicy): Promise<Map<string, number>> => {
  const priors = new Map<string, number>();
  const events = await fixture.log.readAll({ after: null, countMax: 100_000 });
  for (const recorded of events) {
    const event = decodeRegistryEvent(recorded);
    if (event.type === 'AgentRegistered') priors.set(event.data.agentId, priorOf(policy, event.data));
  }
  const received = receivedReviews(events);
  const countedOf = (agent: string): Review[] =>
    (received.get(agent) ?? []).flatMap(({ review, isVoid }) => (isVoid ? [] : review));
  return new Map([...priors].map(([agent, prior]) => [agent, scoreDirect(prior, countedOf(agent), policy).score]));
};

/** Every row of every table of the live read models, including the checkpoint, and the end of the log. */
const liveState = async (): Promise<unknown> => {
  const tables = await fixture.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
  );
  const rows: unknown[] = [];
  for (const { name } of tables) {
    rows.push([name, ...(await fixture.query(`SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) FROM ${name} t`))]);
  }
  return [rows, await fixture.log.headPosition()];
};

type Answer = {
  agents: number;
  moved: number;
  thresholds: { threshold: number; rise: number; fall: number }[];
  moves: {
    agent_id: string;
    before: { trust_score: number; unrounded: number };
    after: { trust_score: number; unrounded: number };
    effects: { constant: string; points: number }[];
    parts: { before: number; after: number }[];
  }[];
};

describe('npm run whatif', () => {
  it('finds exactly the agents whose score differs between the two policies', async () => {
    const file = await policyFile('strict.json', strict);
    const { code, output } = await whatif('--policy', file, '--json', '--top', '1000');
    expect(code).toBe(0);
    const answer = JSON.parse(output) as Answer;
    const [before, after] = [await directScores(policyV1), await directScores(parsePolicyV1(strict))];
    const moved = [...before].filter(([agent, score]) => after.get(agent) !== score);
    expect(moved.length).toBeGreaterThan(10);
    expect(answer).toMatchObject({ agents: before.size, moved: moved.length });
    expect(new Map(answer.moves.map((move) => [move.agent_id, move.after.trust_score]))).toEqual(
      new Map(moved.map(([agent]) => [agent, after.get(agent)])),
    );
    const falls = moved.filter(([agent, score]) => score >= 70 && (after.get(agent) ?? 0) < 70).length;
    expect(answer.thresholds[0]).toMatchObject({ threshold: 70, fall: falls });
    for (const move of answer.moves) {
      // The parts add up to the whole change; each constant is also applied alone.
      const change = move.parts.reduce((sum, part) => sum + part.after - part.before, 0);
      expect(change).toBeCloseTo(move.after.unrounded - move.before.unrounded, 4);
      expect(move.effects.length).toBeGreaterThan(0);
    }
  });

  it('prints it as text, and changes nothing that is live', async () => {
    const file = await policyFile('strict.json', strict);
    const before = await liveState();
    const { code, output, complaints } = await whatif('--policy', file, '--top', '3');
    expect([code, complaints]).toEqual([0, expect.stringMatching(/^Replaying /)]);
    expect(output).toContain('What if trust policy strict had been in force instead of v1?');
    expect(output.match(/^ {4}parts: /gm)).toHaveLength(3);
    expect(await liveState()).toEqual(before);
  });

  it('accepts names, and compares with the active policy', async () => {
    expect(await whatif('--policy', 'v1')).toMatchObject({
      code: 0,
      output: expect.stringContaining('Nobody would move.') as string,
    });
    const event = { policy: strict, previousPolicy: 'v1', activatedAt: '2026-09-01T00:00:00.000Z' };
    await fixture.log.append(
      trustPolicyStream,
      [{ eventId: crypto.randomUUID(), type: 'TrustPolicyActivated', data: event, metadata: { schemaVersion: 1 } }],
      { expectedRevision: 'no_stream' },
    );
    const back = await whatif('--policy', 'v1', '--json');
    expect(JSON.parse(back.output)).toMatchObject({ live_policy: 'strict', policy: 'v1' });
    expect(await whatif('--policy', 'strict')).toMatchObject({ code: 0 });
    expect(await whatif('--policy', 'v2')).toMatchObject({
      code: 0,
      output: expect.stringContaining('Changed: formula v1 → v2, constants.strength 12 → 5') as string,
    });
    const other = await policyFile('other.json', { ...strict, constants: policyV1.constants });
    expect(await whatif('--policy', other)).toMatchObject({
      code: 2,
      complaints: expect.stringContaining('belongs to a policy with other constants') as string,
    });
  });

  it.each([
    ['terminal.json', '\u001b]0;owned\u0007\u009b2J', 'is not JSON'],
    ['slip.json', { ...strict, constants: { ...strict.constants, strenght: 3 } }, 'strenght'],
  ])('refuses %s with a message and exit code 2', async (name, content, complaint) => {
    const { code, complaints, output } = await whatif('--policy', await policyFile(name, content));
    expect([code, output]).toEqual([2, '']);
    expect(complaints).toContain(complaint);
    expect(complaints).not.toMatch(/^\s+at /m);
    expect(complaints).not.toMatch(/[^\P{Cc}\n]/u);
  });

  it.each([
    [[], /^--policy is missing\n/],
    [['--policy', 'v1', '--top', '1001'], /^--top must be a whole number from 0 to 1000\n/],
    [['--policy', 'v1', '--top=-1'], /^--top must be a whole number from 0 to 1000\n/],
  ])('refuses the arguments %j with its usage and exit code 2', async (given, problem) => {
    const { code, complaints, output } = await whatif(...given);
    expect([code, output]).toEqual([2, '']);
    expect(complaints).toMatch(problem);
    expect(complaints).toContain('Usage: npm run whatif');
  });
});
