import { DomainError, errorBody, errorCodes, httpStatusOf, refusalOf } from '@agent-trust/contracts';
import {
  type RefusalFields,
  RpcInternalError,
  RpcRefusedError,
  RpcTimeoutError,
  RpcUnavailableError,
} from '@agent-trust/nats-rpc';
import { describe, expect, it } from 'vitest';
import { errorAnswer, HttpRefusal, limitedBy } from './error-answer.ts';

describe('error answers', () => {
  it.each(errorCodes.map((code) => [code]))('return %s with its status', (code) => {
    const answer = errorAnswer(new DomainError(code, 'why'), 'r1');
    expect(answer.status).toBe(httpStatusOf(code));
    expect(errorBody.parse(answer.body)).toEqual({
      code,
      request_id: 'r1',
      detail: answer.status === 422 ? [{ loc: ['body'], msg: 'why', type: code }] : 'why',
    });
    expect(answer.headers).toEqual(answer.status === 503 ? { 'retry-after': '1' } : {});
  });

  it("keep a service's refusal, with its items", () => {
    const items = [{ loc: ['body', 'agent_id'], msg: 'no', type: 'no_endpoint' }];
    const refused = new RpcRefusedError({ code: 'no_endpoint', detail: 'no', data: { items } });
    expect(errorAnswer(refused, 'r1')).toMatchObject({ status: 422, body: { code: 'no_endpoint', detail: items } });
  });

  it('know whose limit refused a request, of this gateway or of a service behind it', () => {
    const own = new DomainError('overloaded', 'yours', { limitedBy: 'caller' });
    const sent = (error: DomainError): RpcRefusedError =>
      new RpcRefusedError(JSON.parse(JSON.stringify(refusalOf(error))) as RefusalFields);
    expect([own, new HttpRefusal(own, {}), sent(own)].map(limitedBy)).toEqual(['caller', 'caller', 'caller']);
    const all = new DomainError('overloaded', 'all');
    const others = [
      all,
      new HttpRefusal(all, {}),
      sent(all),
      // A service cannot excuse a fault of its own.
      sent(new DomainError('unavailable', 'x', { limitedBy: 'caller' })),
      new RpcUnavailableError('overloaded', 'x'),
      new Error('x'),
    ];
    expect(others.map(limitedBy)).toEqual(others.map(() => undefined));
  });

  it.each([
    ['an unexpected error', new Error('password=x')],
    ['a failure of a service', new RpcInternalError('secret')],
    ['a refusal by an unknown word', new RpcRefusedError({ code: 'toString', detail: 'secret' })],
    ['no error at all', 'secret'],
    ['nothing', undefined],
  ])('reveal nothing of %s', (_what, error) => {
    const answer = errorAnswer(error, 'r1');
    expect(answer).toMatchObject({ status: 500, body: { code: 'internal', request_id: 'r1' } });
    expect(JSON.stringify(answer)).not.toMatch(/secret|password/);
  });

  it('say whether the request may have taken effect', () => {
    const detail = (error: unknown): unknown => errorAnswer(error, 'r1').body.detail;
    expect(detail(new RpcUnavailableError('no_responders', 'x'))).toContain('nothing was done');
    expect(detail(new RpcUnavailableError('connection_lost', 'x'))).toContain('may or may not');
    expect(detail(new RpcTimeoutError('answer', 1, 'x'))).toContain('may or may not');
    expect(errorAnswer(new RpcUnavailableError('overloaded', 'x'), 'r1').body.code).toBe('overloaded');
  });

  it('can have further fields and headers', () => {
    const refusal = new HttpRefusal(new DomainError('rate_limited', 'slow'), {
      fields: { a: 1 },
      headers: { 'retry-after': '9' },
    });
    expect(errorAnswer(refusal, 'r1')).toMatchObject({ status: 429, headers: { 'retry-after': '9' }, body: { a: 1 } });
  });
});
