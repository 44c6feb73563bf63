import { fileURLToPath } from 'node:url';
import { eventDefinitions } from '@agent-trust/contracts';
import { checkGoldenFiles, createEventRegistry } from '@agent-trust/event-log';
import { expect, test } from 'vitest';

/*
 * Bug: the shape of an event changes although logs hold it already, and an old log no longer replays.
 * Method: one file for each released version; each must decode forever. A new version comes with a new file that fills every field;
 * an existing file never changes.
 */
const dir = fileURLToPath(new URL('../../packages/contracts/golden/', import.meta.url));

test('every released version of every event decodes to its current shape', async () => {
  await expect(checkGoldenFiles(createEventRegistry(eventDefinitions), dir)).resolves.toBeUndefined();
});
