import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A test in its full size takes as long as it takes. */
const timeFactor = process.env['TEST_SIZE'] === 'long' ? 40 : 1;
/** By default vitest leaves one core out, which is half of a small machine. */
const maxWorkers = '100%';
/** How long `expect.poll` waits: by default a second, in which a busy machine may do nothing. */
const waits = { poll: { timeout: 60_000 } };

/**
 * Chaos files that wait for leases more than they work. One of them at a time, beside one that works, keeps both cores of a small machine busy;
 * vitest alone would start large files first, and these last.
 */
const waitsLong = /\/(repeated-after-a-crash|killed-call-proxy|webhook-consumer-killed|kill-in-2000-calls)\.test\.ts$/u;
/** Chaos files whose agents or callers flood a system take a core and more: each runs beside one that waits. */
const floods = /\/(bytes-in-flight|hostile-agents|dead-agents|slow-streams-give-way)\.test\.ts$/u;
/** Waits for the database's statistics, and works hardly at all: first, it costs the run nothing; last, a minute. */
const waitsFirst = /\/request-costs\.test\.ts$/u;
class SpreadLongWaits extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files);
    const isFirst = ({ moduleId }: TestSpecification): boolean => waitsFirst.test(moduleId);
    const sorted = [...bySize.filter(isFirst), ...bySize.filter((file) => !isFirst(file))];
    const chaos = sorted.filter(({ project }) => project.name === 'chaos');
    const waiting = chaos.filter(({ moduleId }) => waitsLong.test(moduleId));
    const flooding = chaos.filter(({ moduleId }) => floods.test(moduleId));
    const working = chaos.filter((file) => !waiting.includes(file) && !flooding.includes(file));
    const between = Math.ceil(working.length / (waiting.length + 1));
    return [
      ...sorted.filter((file) => !chaos.includes(file)),
      ...waiting.flatMap((file, index) => [
        file,
        ...flooding.slice(index, index + 1),
        ...working.slice(index * between, (index + 1) * between),
      ]),
      ...flooding.slice(waiting.length),
      ...working.slice(waiting.length * between),
    ];
  }
}

/**
 * `unit` runs beside the code; the others start real servers or the whole stack, which all files of `e2e` share. Except for `chaos`, all files of a
 * worker share one process and its modules: a file restores what it changes of the process (globals, environment, timers).
 */
export default defineConfig({
  test: {
    maxWorkers,
    sequence: { sequencer: SpreadLongWaits },
    projects: [
      {
        test: {
          name: 'unit',
          expect: waits,
          include: ['packages/*/src/**/*.test.ts', 'services/*/src/**/*.test.ts', 'tests/bench/**/*.test.ts'],
          exclude: ['**/*.integration.test.ts', '**/node_modules/**'],
          isolate: false,
          maxWorkers,
          // Property tests try thousands of inputs, and a machine may have more to do than this run.
          testTimeout: 120_000 * timeFactor,
        },
      },
      {
        test: {
          name: 'integration',
          expect: waits,
          include: [
            'packages/*/src/**/*.integration.test.ts',
            'services/*/src/**/*.integration.test.ts',
            'tests/contract/**/*.test.ts',
          ],
          globalSetup: ['packages/test-kit/src/vitest-servers.ts'],
          isolate: false,
          // Files wait for servers a third of their time.
          maxWorkers: 3,
          // More than a test waits for one thing on a busy machine (`waitFor`), so that it says what it has waited for.
          testTimeout: 90_000 * timeFactor,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'e2e',
          expect: waits,
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: ['tests/support/shared-stack.ts'],
          setupFiles: ['tests/support/openapi/fail-on-violation.ts'],
          testTimeout: 240_000 * timeFactor,
          hookTimeout: 240_000,
          // Files wait for the services more than they work. Each has organisations, agents and client addresses of its own.
          pool: 'forks',
          isolate: false,
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'chaos',
          expect: waits,
          include: ['tests/chaos/**/*.test.ts'],
          // Longer than the patience of one wait in a test, of which a slow machine may use up more than one.
          testTimeout: 360_000 * timeFactor,
          hookTimeout: 360_000,
          // Each file has a whole stack of its own: a third one beside them has both cores of a small machine wait, and time limits end.
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
