import { afterAll, beforeAll, inject } from 'vitest';
import { forgetEndpointHosts } from '../ask.ts';

const { violationsUrl } = inject('stack');

// Another process may listen on a host of the previous file by now.
beforeAll(forgetEndpointHosts);

/**
 * A file fails if any client received an answer outside the OpenAPI document while the file ran. Files run side by side, so the answer may
 * belong to another file; but a violation names its route, and a file that runs alone reports only its own.
 */
afterAll(async () => {
  const violations = (await (await fetch(violationsUrl)).json()) as string[];
  if (violations.length > 0)
    throw new Error(`answers that the OpenAPI document does not describe:\n${[...new Set(violations)].join('\n')}`);
});
