import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { interfaceTypes } from '../../scripts/interface-types.ts';
import { interfaceTypesFile } from '../../scripts/paths.ts';

it('the types are those of the contracts; where they are not: pnpm --filter @agent-trust/client types:renew', async () => {
  const made = await interfaceTypes();
  // One line instead of a diff of two thousand lines.
  expect(readFileSync(interfaceTypesFile, 'utf8') === made).toBe(true);
});
