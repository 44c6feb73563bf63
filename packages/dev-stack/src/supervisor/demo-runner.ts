import { type Demo, DomainError } from '@agent-trust/contracts';
import { pause } from '@agent-trust/limits';
import type { Listener } from '../demo/story.ts';
import { oneLine } from '../stack-error.ts';

export const demoLimits = {
  /** The story has some thirty steps; with the longest pause after each it takes half of this. */
  totalMs: 180_000,
} as const;

export type DemoRunner = {
  /** Begins the demo. @throws DomainError demo_in_progress */
  begin(asked: { pauseMs: number; requestedBy: string }): Demo;
  /** The demo that runs, or else the last one. */
  current(): Demo;
  /** Ends a demo that runs, and resolves when nothing of it is left. No other begins. */
  stop(): Promise<void>;
};

const idle: Demo = { state: 'idle', requestedBy: null, startedAt: null, endedAt: null, steps: [], error: null };

/** Plays one demo at a time. @param play tells each step, and ends soon after the signal aborts. */
export function createDemoRunner(
  play: (tell: Listener, signal: AbortSignal) => Promise<void>,
  { totalMs } = demoLimits as { totalMs: number },
): DemoRunner {
  const stopping = new AbortController();
  let demo = idle;
  let running = Promise.resolve();
  const at = (): string => new Date().toISOString();
  const end = (state: Demo['state'], error: string | null = null): void => {
    demo = { ...demo, state, error, endedAt: at() };
  };

  const run = async (pauseMs: number): Promise<void> => {
    const tooLong = AbortSignal.timeout(totalMs);
    const signal = AbortSignal.any([stopping.signal, tooLong]);
    try {
      await play(async (step) => {
        signal.throwIfAborted();
        demo = { ...demo, steps: [...demo.steps, { ...step, at: at() }] };
        await pause(pauseMs, signal);
        signal.throwIfAborted();
      }, signal);
      end('finished');
    } catch (error) {
      if (stopping.signal.aborted) end('stopped');
      else end('failed', tooLong.aborted ? `it took longer than ${totalMs / 1_000} s` : oneLine(error));
    }
  };

  return {
    begin: ({ pauseMs, requestedBy }) => {
      if (demo.state === 'running' || stopping.signal.aborted)
        throw new DomainError('demo_in_progress', 'the demo is being played; GET /ops/demo shows how it goes');
      const begun: Demo = { ...idle, state: 'running', requestedBy, startedAt: at() };
      demo = begun;
      running = run(pauseMs);
      return begun;
    },
    current: () => demo,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
