import { callResponse as schema } from '@agent-trust/contracts';
import { describe, expect, it } from 'vitest';
import { type CallHead, callResponse, callResponseJson } from './call-response.ts';

const parties = { callerAgentId: 'caller', agentId: 'a/b' };
const head = (changes: Partial<CallHead> = {}): CallHead => ({
  transactionId: 't1',
  statusCode: 200,
  responseHeaders: {},
  contentType: 'application/json',
  streaming: false,
  bodyBytes: null,
  position: null,
  mcpSessionId: null,
  ...changes,
});
const respond = (changes: Partial<CallHead>): ReturnType<typeof callResponse> =>
  callResponse(parties, head(changes), null, 'https://trust.test');

describe('call response', () => {
  it("is the contract's object with the body inserted unchanged", () => {
    const parsed: unknown = JSON.parse(String(callResponseJson(respond({}), Buffer.from('{"n":1}'))));
    expect(schema.parse(parsed)).toMatchObject({
      agent_id: 'a/b',
      transaction_id: 't1',
      body: { n: 1 },
      next_step: null,
    });
    expect(parsed).not.toHaveProperty('pay_via');
  });

  it('suggests the review as a valid request', () => {
    const body = /\{.*\}/u.exec(respond({}).review_reminder ?? '')?.[0] ?? '';
    expect(JSON.parse(body)).toMatchObject({
      transaction_id: 't1',
      caller_agent_id: 'caller',
      receiver_agent_id: 'a/b',
    });
    expect(respond({ transactionId: null })).toMatchObject({ transaction_id: '', review_reminder: null });
  });

  it.each([
    [200, true],
    [302, true],
    [402, false],
    [500, false],
  ])('suggests for an answer %i a review with success %s', (statusCode, success) => {
    const body = /\{.*\}/u.exec(respond({ statusCode }).review_reminder ?? '')?.[0] ?? '';
    expect(JSON.parse(body)).toMatchObject({ success, score: success ? 10 : 1 });
  });

  it('explains what to do after a demand for payment or credentials', () => {
    const payVia = 'https://trust.test/pay/a%2Fb?call_ref=t1';
    expect(respond({ statusCode: 402 })).toMatchObject({
      pay_via: payVia,
      next_step: expect.stringContaining(payVia) as unknown,
    });
    for (const statusCode of [401, 403]) expect(respond({ statusCode }).next_step).toContain('/agent/a%2Fb');
    expect(respond({ statusCode: 404 }).next_step).toBeNull();
  });
});
