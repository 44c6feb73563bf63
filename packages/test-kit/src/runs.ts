/**
 * Number of repetitions, or size, of a test: `small` in every run of the suite, `full` with `TEST_SIZE=long` (`npm run test:long`). The small form
 * still finds the bugs that the test names.
 */
export function runs(small: number, full: number): number {
  return process.env['TEST_SIZE'] === 'long' ? full : small;
}
