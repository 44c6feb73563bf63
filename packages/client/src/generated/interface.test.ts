import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { interfaceTypes } from '../../scripts/interface-types.ts';
import { interfaceTypesFile } from '../../scripts/paths.ts';

it('the types are those of the contracts', async () => {
  const renew = 'the contracts have changed; renew with: pnpm --filter @agent-trust/client types:renew';
  expect(readFileSync(interfaceTypesFile, 'utf8') === (await interfaceTypes()), renew).toBe(true);
});
