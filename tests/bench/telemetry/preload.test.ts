import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventLoopResolutionMs } from '../../../packages/service-kit/src/telemetry/observe-process.ts';
import { type HelperProcess, startHelper } from '../helper-process.ts';
import { controlOf } from './control.ts';

/*
 * Bug: off, a process still counts, measures or traces, or on, it does not: the benchmark compares telemetry with itself.
 * Method: a process that is imported into as a service is, whose telemetry is switched while it works; what it has counted, and what a collector has.
 */
type Seen = { counted: number; kept: number; isTraced: boolean; isActive: boolean; delayMax: number };

let folder: string;
let collector: HelperProcess;
let program: ChildProcess;
let answers: AsyncIterator<string>;
let control: ReturnType<typeof controlOf>;

const start = (env: NodeJS.ProcessEnv): void => {
  const preload = pathToFileURL(join(import.meta.dirname, 'preload.ts'));
  preload.searchParams.set('control', folder);
  program = spawn(process.execPath, [join(import.meta.dirname, 'testing', 'measured-program.ts')], {
    env: { ...process.env, ...env, NODE_OPTIONS: `--import ${preload.href}` },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  answers = createInterface({ input: program.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  control = controlOf(folder, [program.pid as number]);
};
const work = async (): Promise<Seen> => {
  program.stdin?.write('\n');
  return JSON.parse((await answers.next()).value as string) as Seen;
};
const received = async () =>
  (await (await fetch(`${collector.url}/count`)).json()) as { metrics: number; spans: Record<string, number> };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-trust-preload-'));
  collector = await startHelper('collector.ts');
});
afterEach(async () => {
  await control.close();
  program.stdin?.end();
  await once(program, 'exit');
  await collector.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('a process whose telemetry is switched', () => {
  it('counts, measures and traces while on, and does nothing of it while off', async () => {
    start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    expect(await work()).toMatchObject({ counted: 1, kept: 1, isTraced: true, isActive: true });
    await control.send('off');
    expect(await work()).toMatchObject({ counted: 1, kept: 1, isTraced: false, isActive: false });
    await control.send('flush');
    expect(await received()).toEqual({ metrics: 0, spans: { 'POST /work': 1 } });
    await control.send('on');
    expect(await work()).toMatchObject({ counted: 2, kept: 2, isTraced: true, isActive: true });
    await control.send('flush');
    await control.send('export');
    expect(await received()).toEqual({ metrics: 1, spans: { 'POST /work': 2 } });
  });

  it('watches its event loop only while on', async () => {
    start({});
    await work();
    await control.send('off');
    await work();
    // Node's value without a sample.
    expect((await work()).delayMax).toBe(0);
    await control.send('on');
    await vi.waitFor(async () => expect((await work()).delayMax).toBeGreaterThan(0), {
      timeout: 10_000,
      // Each look begins the measurement anew, which takes two runs of its timer.
      interval: 4 * eventLoopResolutionMs,
    });
    expect(await work()).toMatchObject({ isTraced: false, isActive: false });
  });
});
