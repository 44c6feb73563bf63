import { RegistryError, TimeoutError } from '@agent-trust/client';
import { expect, it } from 'vitest';
import { errorParts } from './error-parts.ts';

const refusal = (status: number, more = {}): RegistryError =>
  new RegistryError('GET /registry', { status, code: 'some_code', detail: 'why', requestId: 'r-1', ...more });

it('shows code, detail and request id of a refusal, and whether a later attempt may succeed', () => {
  expect(errorParts(refusal(503))).toEqual({
    title: 'The registry cannot answer now',
    detail: 'why',
    code: 'some_code',
    requestId: 'r-1',
    maySucceedLater: true,
  });
  expect(errorParts(refusal(404)).maySucceedLater).toBe(false);
});

it('shows each fault of a 422', () => {
  const items = [{ loc: ['query', 'limit'], msg: 'is too large', type: 'too_big' }];
  expect(errorParts(refusal(422, { items })).detail).toBe('query.limit: is too large');
});

it('shows what is no answer, and what is no error', () => {
  expect(errorParts(new TimeoutError('GET /registry', 50)).title).toBe('The registry does not answer');
  expect(errorParts('odd')).toMatchObject({ title: 'The page failed', detail: 'odd' });
});
