/** Bugs: two refusals that a script cannot distinguish, and a failure without advice. */
import { NetworkError, RegistryError, TimeoutError } from '@agent-trust/client';
import { expect, it } from 'vitest';
import { exitCodeMeanings, exitCodeOfStatus, exitCodes } from './exit-codes.ts';
import { failureOf } from './failure.ts';
import { UsageError } from './errors.ts';

const refused = (status: number, code: string, more: object = {}): RegistryError =>
  new RegistryError('POST /x', { status, code, detail: 'no', ...more });

it('has one exit code for each kind of refusal', () => {
  const codes = [401, 403, 404, 409, 422, 429, 500, 502].map((status) => exitCodeOfStatus(status));
  expect(codes).toEqual([3, 4, 5, 6, 7, 8, 10, 11]);
  expect(new Set(Object.values(exitCodes))).toEqual(new Set(exitCodeMeanings.map(([code]) => code)));
});

it('shows the faults, how long to wait and the request id', () => {
  const failure = failureOf(
    refused(422, 'validation_failed', {
      items: [{ loc: ['body', 'capabilities', 0, 'name'], msg: 'too long', type: 'too_big' }],
      requestId: 'r-1',
      retryAfterSeconds: 7,
    }),
    undefined,
  );
  expect(failure.lines).toEqual([
    'the request is invalid (422 validation_failed)',
    '  capabilities.0.name: too long',
    'Try again in 7 s.',
    'request id: r-1',
  ]);
});

it('advises to look in the sandbox, unless that is where the command looked', () => {
  const notFound = refused(404, 'agent_not_found');
  expect(failureOf(notFound, undefined).lines).toEqual([
    'no (404 agent_not_found)',
    expect.stringContaining('--sandbox looks in your own'),
  ]);
  expect(failureOf(notFound, undefined, { isInSandbox: true }).lines).toEqual(['no (404 agent_not_found)']);
});

it('shows a key that may be valid already, because it is shown only once', () => {
  for (const name of ['api_key', 'sandbox_api_key', 'agent_key', 'claim_link']) {
    const { lines } = failureOf(refused(503, 'read_model_behind', { body: { [name]: 'the-secret' } }), undefined);
    expect(lines.join('\n')).toContain('the-secret');
  }
});

it('shows the answer of an agent in a refusal, because the call cannot be repeated', () => {
  const body = { transaction_id: 't', status_code: 200, body: { offer: 12 } };
  const { lines } = failureOf(refused(503, 'unavailable', { body }), undefined);
  expect(lines).toContain('The agent answered 200: {"offer":12}');
});

it('does not say of a connection that broke that nothing was sent', () => {
  const cause = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
  expect(failureOf(new NetworkError('POST /rotate', 'no', { cause }), 'http://x').lines).toEqual([
    'the connection to http://x broke (ECONNRESET)',
    'It is not known whether the request was carried out.',
  ]);
});

it('does not say of an answer that it cannot show that nothing was sent', () => {
  const fault = new TypeError("Cannot read properties of undefined (reading 'lag')");
  expect(failureOf(fault, 'http://x', { isAnswered: true })).toMatchObject({
    exitCode: exitCodes.unexpected,
    lines: ['the answer has another form: is http://x an Agent Trust Registry?'],
  });
  expect(failureOf(new TypeError('an agent_id has at least one character'), 'http://x').exitCode).toBe(exitCodes.usage);
});

it('distinguishes local faults from those of the network and of the program', () => {
  const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  const network = failureOf(new NetworkError('GET /health', 'no', { cause }), 'http://x');
  expect([network.exitCode, network.lines[0]]).toEqual([
    exitCodes.network,
    'http://x cannot be reached (ECONNREFUSED)',
  ]);
  expect(failureOf(new NetworkError('GET /health', 'bad port'), 'http://x').lines[0]).toBe(
    'http://x cannot be reached',
  );
  expect(failureOf(new TimeoutError('GET /health', 5), 'http://x').exitCode).toBe(exitCodes.network);
  expect(failureOf(new UsageError('wrong'), undefined)).toMatchObject({ exitCode: exitCodes.usage, lines: ['wrong'] });
  expect(failureOf(new RangeError('a bug'), undefined)).toMatchObject({ exitCode: exitCodes.unexpected });
  expect(failureOf('thrown text', undefined).exitCode).toBe(exitCodes.unexpected);
});
