import { expect, it } from 'vitest';
import { codeIn } from './sign-in-code.ts';

it.each([
  ['#code=abc-DEF_1', 'abc-DEF_1'],
  ['#code=', null],
  ['#content', null],
  ['', null],
  ['#xcode=abc', null],
])('reads %j as %j', (fragment, code) => {
  expect(codeIn(fragment)).toBe(code);
});
