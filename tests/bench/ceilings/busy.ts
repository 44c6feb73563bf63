import { setPriority } from 'node:os';

/**
 * Keeps a processor busy while nobody else wants it, with work that needs no memory. Two processors of a machine may share a core, and then the same work takes
 * up to twice the processor time while the other one is busy: all measured turns shall meet it busy.
 */
const lowest = 19;
const turnMs = 5;
setPriority(lowest);
process.stdin.resume().on('end', () => process.exit(0));
process.stdout.write('busy\n');
const spin = (): void => {
  const until = performance.now() + turnMs;
  while (performance.now() < until);
  setImmediate(spin);
};
spin();
