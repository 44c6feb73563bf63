import {
  DomainError,
  findUnreviewedExchange,
  getAgent,
  getOwnerAgent,
  production,
  registerAgent,
  submitReview,
  updateAgent,
} from '@agent-trust/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { agentKey, orgKey, publicAgent, sandboxKey } from '../testing/agents.ts';
import {
  adminToken,
  answerAsKnown,
  type GatewayUnderTest,
  post,
  startGatewayUnderTest,
} from '../testing/gateway-under-test.ts';

let under: GatewayUnderTest;
beforeAll(async () => {
  under = await startGatewayUnderTest();
});
beforeEach(() => answerAsKnown(under.bus));
afterAll(() => under.stop());

let keys = 0;
const freshKey = (): { 'idempotency-key': string } => ({ 'idempotency-key': `key ${(keys += 1)}` });
const asAgent = { authorization: `Bearer ${agentKey}` };

type Answer = { status: number; text: string; body: Record<string, unknown>; headers: Headers };
const ask = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
  const response = await post(`${under.url}${path}`, body, headers);
  const text = await response.text();
  const { status } = response;
  return { status, text, body: JSON.parse(text) as Record<string, unknown>, headers: response.headers };
};
const outsider = { agent_id: 'new', contact_email: 'a@b.example' };
const register = (headers: Record<string, string>, body: unknown = outsider) => ask('/register', body, headers);
const commands = () => under.bus.inputsOf(registerAgent);
const codeOf = ({ status, body }: Answer) => [status, body['code']];

describe('POST /register with an Idempotency-Key', () => {
  it('requests the registration once, and repeats its answer: status, body and headers', async () => {
    const key = freshKey();
    const before = commands().length;
    const first = await register(key);
    const again = await register(key);
    expect([first.status, again.status, commands().length]).toEqual([201, 201, before + 1]);
    expect(again.text).toBe(first.text);
    for (const name of ['content-type', 'cache-control', 'referrer-policy'])
      expect(again.headers.get(name)).toBe(first.headers.get(name));
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(commands().at(-1)?.commandId).toMatch(/^[0-9a-f-]{36}$/u);
  });

  it('without one requests it each time, without an id', async () => {
    const before = commands().length;
    const links = [await register({}), await register({})].map(({ body }) => body['claim_link']);
    expect(new Set(links).size).toBe(2);
    expect(
      commands()
        .slice(before)
        .map(({ commandId }) => commandId),
    ).toEqual([null, null]);
  });

  it('refuses another body, even one that differs by a space, and reports the location', async () => {
    const key = freshKey();
    await register(key);
    const answer = await register(key, `${JSON.stringify(outsider)} `);
    expect(answer).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused', detail: [{ loc: ['header', 'idempotency-key'] }] },
    });
  });

  it.each(['', 'k'.repeat(129)])('refuses the key %j', async (key) => {
    expect(codeOf(await register({ 'idempotency-key': key }))).toEqual([422, 'validation_failed']);
  });

  it('is looked up only after the request and its credential were validated', async () => {
    const key = freshKey();
    await register({ ...key, 'x-api-key': orgKey });
    expect(codeOf(await register({ ...key, 'x-api-key': `registry-org-sk-${'A'.repeat(43)}` }))).toEqual([
      401,
      'invalid_api_key',
    ]);
    expect(codeOf(await register({ ...key, 'x-api-key': orgKey }, { agent_id: '' }))).toEqual([
      422,
      'validation_failed',
    ]);
  });

  it('belongs to the credential, and without one to the agent_id', async () => {
    const key = freshKey();
    const before = commands().length;
    const other = { ...outsider, agent_id: 'other' };
    const asked = [
      await register(key),
      await register(key, other),
      await register({ ...key, 'x-api-key': orgKey }),
      await register({ ...key, 'x-api-key': sandboxKey }),
      await register({ ...key, authorization: `Bearer ${adminToken}` }),
    ];
    expect(asked.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(commands()).toHaveLength(before + 5);
    expect(
      new Set(
        commands()
          .slice(before)
          .map(({ commandId }) => commandId),
      ).size,
    ).toBe(5);
    // A key of an organisation is one key, whatever agent it is used for.
    expect(codeOf(await register({ ...key, 'x-api-key': orgKey }, other))).toEqual([422, 'idempotency_key_reused']);
  });

  it('is free again after a refusal: the same body is checked again, and so is another one', async () => {
    const key = freshKey();
    under.bus.answer(registerAgent, () => {
      throw new DomainError('capability_weights_exceeded', 'too many');
    });
    expect((await register(key)).status).toBe(400);
    answerAsKnown(under.bus);
    expect((await register(key, { ...outsider, specialty: 'mended' })).status).toBe(201);
  });

  it('is free again after a question: the answers use the same key', async () => {
    const key = freshKey();
    under.bus.answer(registerAgent, () => ({
      outcome: 'confirmation_required' as const,
      candidateMatches: { ocr_scan: 'ocr' },
      candidates: { ocr_scan: [{ name: 'ocr', similarity: 0.8 }] },
    }));
    expect((await register(key, { ...outsider, capabilities: ['OCR scan'] })).status).toBe(202);
    answerAsKnown(under.bus);
    const answered = { ...outsider, capabilities: ['OCR scan'], capability_confirmations: { ocr_scan: false } };
    expect((await register(key, answered)).status).toBe(201);
  });

  it('after a failure sends the same command again, with the same claim token, and keeps the body', async () => {
    const key = freshKey();
    const before = commands().length;
    under.bus.answer(getOwnerAgent, () => {
      throw new DomainError('read_model_behind', 'behind');
    });
    const failed = await register(key);
    expect(failed.status).toBe(503);
    expect(codeOf(await register(key, { ...outsider, specialty: 'else' }))).toEqual([422, 'idempotency_key_reused']);
    answerAsKnown(under.bus);
    const again = await register(key);
    expect([again.status, again.body['claim_link']]).toEqual([201, failed.body['claim_link']]);
    const [first, second] = commands().slice(before);
    expect([second?.commandId, second?.claimTokenHash]).toEqual([first?.commandId, first?.claimTokenHash]);
    expect((await register(key)).text).toBe(again.text);
    expect(commands()).toHaveLength(before + 2);
  });

  it('twenty at once: one command, twenty equal answers', async () => {
    const key = freshKey();
    const before = commands().length;
    const answers = await Promise.all(Array.from({ length: 20 }, () => register(key)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(commands()).toHaveLength(before + 1);
  });
});

describe('POST /update with an Idempotency-Key', () => {
  it('is carried out once for all credentials together', async () => {
    under.bus.answer(updateAgent, () => ({ outcome: 'updated' as const, universe: production, position: '5' }));
    under.bus.answer(getAgent, () => ({ agent: publicAgent({ agentId: 'caller' }) }));
    const key = freshKey();
    const update = (headers: Record<string, string>, specialty = 'a') =>
      ask('/update', { agent_id: 'caller', specialty }, { ...key, ...headers });
    const updates = () => under.bus.inputsOf(updateAgent).length;
    expect((await update(asAgent)).status).toBe(200);
    expect((await update(asAgent)).status).toBe(200);
    expect(updates()).toBe(1);
    expect(codeOf(await update(asAgent, 'b'))).toEqual([422, 'idempotency_key_reused']);
    expect((await update({ ...asAgent, 'x-api-key': orgKey }, 'b')).status).toBe(200);
    expect(updates()).toBe(2);
    expect(codeOf(await update({}))).toEqual([401, 'credential_required']);
  });
});

describe('POST /review with an Idempotency-Key', () => {
  const review = (headers: Record<string, string>, over: object = {}) =>
    ask(
      '/review',
      { caller_agent_id: 'caller', receiver_agent_id: 'receiver', success: true, score: 9, ...over },
      { ...asAgent, ...headers },
    );
  const reviews = () => under.bus.inputsOf(submitReview);

  it('chooses the exchange once: after a failure the review is of the same one', async () => {
    const key = freshKey();
    const before = reviews().length;
    let newest = 't1';
    under.bus.answer(findUnreviewedExchange, () => ({ transactionId: newest }));
    under.bus.answer(submitReview, () => {
      throw new DomainError('unavailable', 'the log did not answer');
    });
    expect((await review(key)).status).toBe(503);
    newest = 't0';
    under.bus.answer(submitReview, () => ({ transactionId: 't1', position: '11' }));
    expect((await review(key)).status).toBe(200);
    expect((await review(key)).status).toBe(200);
    expect(
      reviews()
        .slice(before)
        .map(({ transactionId }) => transactionId),
    ).toEqual(['t1', 't1']);
    expect(
      new Set(
        reviews()
          .slice(before)
          .map(({ commandId }) => commandId),
      ).size,
    ).toBe(1);
    expect(under.bus.inputsOf(findUnreviewedExchange)).toHaveLength(1);
  });

  it('leaves the refusal to the rules if there is no exchange, and looks for none if the request names one', async () => {
    const asked = under.bus.inputsOf(findUnreviewedExchange).length;
    under.bus.answer(findUnreviewedExchange, () => ({ transactionId: null }));
    under.bus.answer(submitReview, () => {
      throw new DomainError('self_review', 'no');
    });
    expect(codeOf(await review(freshKey()))).toEqual([403, 'self_review']);
    expect(reviews().at(-1)).toMatchObject({ transactionId: null, commandId: expect.any(String) as unknown });
    await review(freshKey(), { transaction_id: 'named' });
    expect(reviews().at(-1)).toMatchObject({ transactionId: 'named' });
    await review({});
    expect(reviews().at(-1)).toMatchObject({ transactionId: null, commandId: null });
    expect(under.bus.inputsOf(findUnreviewedExchange)).toHaveLength(asked + 1);
  });
});

// Bug: the write took effect, the agent has moved on, the resulting 404 freed the key, and a repetition was a second request.
describe('an agent that left its universe between the write and the answer', () => {
  const leaves = (): void => {
    under.bus.answer(getOwnerAgent, () => ({ agent: null }));
    under.bus.answer(getAgent, () => ({ agent: null }));
  };
  const idsOf = (method: typeof registerAgent | typeof updateAgent | typeof submitReview) =>
    under.bus.inputsOf(method).map(({ commandId }) => commandId);

  it('POST /register returns the claim link, and keeps the key', async () => {
    const key = freshKey();
    leaves();
    const first = await register(key);
    expect(codeOf(first)).toEqual([503, 'read_model_behind']);
    expect(first.body['claim_link']).toMatch(/token=/u);
    expect(codeOf(await register(key, { ...outsider, specialty: 'else' }))).toEqual([422, 'idempotency_key_reused']);
    answerAsKnown(under.bus);
    const again = await register(key);
    expect([again.status, again.body['claim_link']]).toEqual([201, first.body['claim_link']]);
    expect(new Set(idsOf(registerAgent).slice(-2)).size).toBe(1);
  });

  it.each([
    ['/update', { agent_id: 'caller', specialty: 'a' }, { specialty: 'b' }, updateAgent],
    [
      '/review',
      { caller_agent_id: 'caller', receiver_agent_id: 'r', success: true, score: 9 },
      { score: 8 },
      submitReview,
    ],
  ] as const)('POST %s keeps the key', async (path, body, other, method) => {
    under.bus.answer(updateAgent, () => ({ outcome: 'updated' as const, universe: production, position: '5' }));
    under.bus.answer(findUnreviewedExchange, () => ({ transactionId: 't' }));
    under.bus.answer(submitReview, () => ({ transactionId: 't', position: '11' }));
    const headers = { ...freshKey(), ...asAgent };
    leaves();
    expect(codeOf(await ask(path, body, headers))).toEqual([404, 'agent_not_found']);
    expect(codeOf(await ask(path, { ...body, ...other }, headers))).toEqual([422, 'idempotency_key_reused']);
    under.bus.answer(getAgent, ({ agentId }) => ({ agent: publicAgent({ agentId }) }));
    expect((await ask(path, body, headers)).status).toBe(200);
    expect(new Set(idsOf(method).slice(-2)).size).toBe(1);
  });
});

it('no key, link or answer of these tests is in the log', () => {
  expect(under.logged()).toContain('"route":"/register"');
  expect(under.logged()).not.toMatch(/key \d|token=/u);
});
