import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A test in its full size takes as long as it takes. */
const timeFactor = process.env['TEST_SIZE'] === 'long' ? 40 : 1;
/** By default vitest leaves one core out, which is half of a small machine. */
const maxWorkers = '100%';

/** Short files that wait for leases of the product. Vitest starts large files first, so without this list they would run last, and alone. */
const waitsLong = /\/(repeated-after-a-crash|killed-call-proxy|webhook-consumer-killed)\.test\.ts$/u;
const rank = ({ moduleId, project }: TestSpecification): number =>
  2 * project.config.sequence.groupOrder + (waitsLong.test(moduleId) ? 0 : 1);
class LongWaitsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

/**
 * `unit` runs beside the code; the others start real servers or the whole stack, which all files of `e2e` share. Except for `chaos`, all files of a
 * worker share one process and its modules: a file restores what it changes of the process (globals, environment, timers).
 */
export default defineConfig({
  test: {
    maxWorkers,
    sequence: { sequencer: LongWaitsFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'services/*/src/**/*.test.ts'],
          exclude: ['**/*.integration.test.ts', '**/node_modules/**'],
          isolate: false,
          maxWorkers,
          // Property tests try thousands of inputs, while the servers of the integration tests take the same cores.
          testTimeout: 30_000 * timeFactor,
        },
      },
      {
        test: {
          name: 'integration',
          include: [
            'packages/*/src/**/*.integration.test.ts',
            'services/*/src/**/*.integration.test.ts',
            'tests/contract/**/*.test.ts',
          ],
          globalSetup: ['packages/test-kit/src/vitest-servers.ts'],
          isolate: false,
          maxWorkers,
          testTimeout: 30_000 * timeFactor,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: ['tests/support/shared-stack.ts'],
          setupFiles: ['tests/support/openapi/fail-on-violation.ts'],
          testTimeout: 120_000 * timeFactor,
          hookTimeout: 120_000,
          // Files wait for the services more than they work. Each has organisations, agents and client addresses of its own.
          pool: 'forks',
          isolate: false,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'chaos',
          include: ['tests/chaos/**/*.test.ts'],
          testTimeout: 120_000 * timeFactor,
          hookTimeout: 120_000,
          // Each file has a stack of its own, and much of its time is waiting for what was killed.
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
