import { expect, it } from 'vitest';
import { codeOf } from './sign-in-code.ts';

it.each([
  ['#code=abc', 'abc'],
  ['#a=1&code=x-y_z', 'x-y_z'],
  ['#code=', null],
  ['#content', null],
  ['', null],
])('the code of %j is %j', (fragment, code) => {
  expect(codeOf(fragment)).toBe(code);
});
