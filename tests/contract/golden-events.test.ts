import { fileURLToPath } from 'node:url';
import { eventDefinitions } from '@agent-trust/contracts';
import { checkGoldenFiles, createEventRegistry } from '@agent-trust/event-log';
import { expect, test } from 'vitest';

/*
 * Bug: somebody changes the shape of an event that logs hold already, and an old log no longer replays.
 * Method: one file for each version that was ever released; each must decode for ever. Whoever adds a version writes its file, with
 * every field filled; an existing file is never changed.
 */
const dir = fileURLToPath(new URL('../../packages/contracts/golden/', import.meta.url));

test('every released version of every event decodes to its current shape', async () => {
  await expect(checkGoldenFiles(createEventRegistry(eventDefinitions), dir)).resolves.toBeUndefined();
});
