/**
 * How often, or how large, a test runs: `small` in every run of the suite, `full` when `TEST_SIZE=long` (`npm run test:long`). The small form
 * still finds the bugs that the test names.
 */
export function runs(small: number, full: number): number {
  return process.env['TEST_SIZE'] === 'long' ? full : small;
}
