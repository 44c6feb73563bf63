/*
 * Bug: a published checkpoint is taken back. After a crash the registry signs a smaller tree, or another root for the same size, because
 * the signed events were not durable yet or the tree was computed differently the second time.
 * Method: agents register without pause while a reader polls checkpoints; meanwhile trust-projection and Postgres are each killed several
 * times with SIGKILL. The reader keeps every checkpoint and verifies that the last one is consistent with all of them.
 */
import type { Stack } from '@agent-trust/dev-stack';
import {
  emptyRoot,
  fromHex,
  type OpenedCheckpoint,
  openCheckpoint,
  parseVerifierKey,
  toHex,
  verifyConsistency,
} from '@agent-trust/transparency-log';
import { runs } from '@agent-trust/test-kit/runs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { httpTo, unique } from '../support/registry.ts';
import { startChaosStack } from './support/chaos-stack.ts';
import { untilHealthy } from './support/invariants.ts';
import { untilServed } from './support/until-served.ts';
import { waitFor } from './support/wait-for.ts';

const killsOfEach = runs(2, 3);
const treesBetweenKills = 5;
const askTimeoutMs = 5_000;

let stack: Stack;
beforeAll(async () => {
  stack = await startChaosStack({});
});
afterAll(() => stack?.stop());

it('the log never shrinks, forks or loses events, whatever process is killed', async () => {
  const http = httpTo(stack.url);
  const logKey = parseVerifierKey(String((await http.get('/log/key')).body['verifier_key']));
  const stopping = new AbortController();
  const seen: OpenedCheckpoint[] = [];
  const treesSeen = (): number => new Set(seen.map(({ size }) => size)).size;

  const write = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      // Other tests check what a crash does to a registration.
      await http.post('/register', { agent_id: unique('agent'), contact_email: 'a@b.example' }).catch(() => undefined);
    }
  };
  const read = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(askTimeoutMs)]);
      const answer = await fetch(`${stack.url}/log/checkpoint`, { signal }).catch(() => null);
      const text = answer?.status === 200 ? await answer.text().catch(() => null) : null;
      if (text !== null) seen.push(await openCheckpoint(text, { logKey }));
    }
  };
  const work = [write(), write(), read()];
  try {
    for (const process of Array.from({ length: killsOfEach }, () => ['trust-projection', 'postgres']).flat()) {
      const before = treesSeen();
      await waitFor(() => treesSeen() >= before + treesBetweenKills);
      stack.kill(process, 'SIGKILL');
    }
    await waitFor(() => stack.restartCount('postgres') >= killsOfEach && stack.isReady());
    const size = seen.at(-1)?.size ?? 0;
    await waitFor(() => (seen.at(-1)?.size ?? 0) > size);
  } finally {
    stopping.abort();
    await Promise.all(work);
  }
  await untilHealthy(stack);

  const sizes = seen.map(({ size }) => size);
  expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
  const roots = new Map<number, Set<string>>();
  for (const { size, root } of seen) roots.set(size, (roots.get(size) ?? new Set()).add(toHex(root)));
  expect([...roots.values()].filter(({ size }) => size > 1)).toEqual([]);
  expect(roots.size).toBeGreaterThan(killsOfEach * 2 * treesBetweenKills);
  const last = seen.at(-1) ?? { size: 0, root: emptyRoot };
  const distinct = new Map(seen.map((checkpoint) => [checkpoint.size, checkpoint]));
  for (const { size, root } of distinct.values()) {
    if (size === 0) continue;
    const { body } = await untilServed(() => http.get(`/log/proof/consistency?from=${size}&to=${last.size}`));
    const proof = (body['hashes'] as string[]).map(fromHex);
    const claim = { from: size, to: last.size, fromRoot: root, toRoot: last.root, proof };
    expect([size, verifyConsistency(claim)]).toEqual([size, true]);
  }
});
