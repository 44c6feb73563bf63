/** Bugs: two demos at once; a demo that never ends, or goes on after npm start; a failure that looks like an end. */
import { expect, it } from 'vitest';
import type { Listener, StoryStep } from '../demo/story.ts';
import { createDemoRunner } from './demo-runner.ts';

const step: StoryStep = {
  kind: 'judged',
  text: 'a trust 40',
  details: [],
  agentId: 'a',
  callerAgentId: null,
  transactionId: null,
  trustScore: 40,
  trustScoreBefore: null,
  recommendedAction: 'abort',
};
const asked = { pauseMs: 0, requestedBy: 'operator alice' };

it('shows each step when it happens, plays one demo at a time, and can play another one afterwards', async () => {
  const gate = Promise.withResolvers<void>();
  const runner = createDemoRunner(async (tell) => {
    await tell(step);
    await gate.promise;
    await tell({ ...step, trustScore: 46 });
  });
  expect(runner.current()).toMatchObject({ state: 'idle', steps: [] });
  expect(runner.begin(asked)).toMatchObject({ state: 'running', requestedBy: 'operator alice', endedAt: null });
  await expect.poll(() => runner.current().steps).toHaveLength(1);
  expect(() => runner.begin(asked)).toThrow(expect.objectContaining({ code: 'demo_in_progress' }));
  gate.resolve();
  await expect.poll(() => runner.current().state).toBe('finished');
  expect(runner.current().steps.map(({ trustScore }) => trustScore)).toEqual([40, 46]);
  expect(runner.begin(asked).steps).toEqual([]);
  await expect.poll(() => runner.current().state).toBe('finished');
});

it('says why it failed', async () => {
  const runner = createDemoRunner(() => Promise.reject(new Error('the registry\nsleeps')));
  runner.begin(asked);
  await expect.poll(() => runner.current()).toMatchObject({ state: 'failed', error: 'the registry | sleeps' });
});

const endless = async (tell: Listener): Promise<void> => {
  for (;;) await tell(step);
};

it('ends in the middle of a pause when npm start stops, and begins no other', async () => {
  const runner = createDemoRunner(endless);
  runner.begin({ ...asked, pauseMs: 60_000 });
  await expect.poll(() => runner.current().steps).toHaveLength(1);
  await runner.stop();
  expect(runner.current()).toMatchObject({ state: 'stopped', error: null });
  expect(runner.current().steps).toHaveLength(1);
  expect(() => runner.begin(asked)).toThrow('the demo is being played');
});

it('ends when it takes too long', async () => {
  const runner = createDemoRunner(endless, { totalMs: 20 });
  runner.begin({ ...asked, pauseMs: 60_000 });
  await expect.poll(() => runner.current()).toMatchObject({ state: 'failed', error: 'it took longer than 0.02 s' });
});
