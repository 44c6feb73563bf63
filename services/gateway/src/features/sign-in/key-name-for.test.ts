import { createOperatorKeyRoute } from '@agent-trust/contracts';
import { expect, it } from 'vitest';
import { keyNameFor } from './key-name-for.ts';

const isKeyName = (name: string): boolean =>
  createOperatorKeyRoute.body?.safeParse({ name, role: 'viewer' }).success === true;

it.each([
  ['alice', 'alice'],
  ['Alice@Globex.example', 'alice@globex.example'],
  ['npm start', 'npm-start'],
  ['--_Éva  Müller', 'va-m-ller'],
  ['\u{1f916}', 'operator'],
  ['', 'operator'],
  ['a'.repeat(255), 'a'.repeat(40)],
])('an operator called %j has keys of browsers that begin with %s', (asker, begins) => {
  const name = keyNameFor(asker);
  expect(name).toMatch(/\.console-[0-9a-f]{12}$/u);
  expect([name.split('.console-')[0], isKeyName(name)]).toEqual([begins, true]);
  expect(keyNameFor(asker)).not.toBe(name);
});
