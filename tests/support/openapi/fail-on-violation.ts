import { afterAll, beforeAll, inject } from 'vitest';
import { forgetEndpointHosts } from '../ask.ts';

const { violationsUrl } = inject('stack');

// Hosts of the file before this one are free for others to listen on.
beforeAll(forgetEndpointHosts);

/**
 * A file fails if an answer outside the OpenAPI document was given while it ran, whatever client asked. Files run side by side: the answer may
 * be that of a neighbour, but a violation names its route, and a file that runs alone has only its own.
 */
afterAll(async () => {
  const violations = (await (await fetch(violationsUrl)).json()) as string[];
  if (violations.length > 0)
    throw new Error(`answers that the OpenAPI document does not describe:\n${[...new Set(violations)].join('\n')}`);
});
