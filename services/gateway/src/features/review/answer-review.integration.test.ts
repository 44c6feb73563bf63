import { randomUUID } from 'node:crypto';
import { answerReview, DomainError, production } from '@agent-trust/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { agentKey, organisation, orgKey } from '../../testing/agents.ts';
import {
  adminToken,
  answerAsKnown,
  type GatewayUnderTest,
  post,
  startGatewayUnderTest,
} from '../../testing/gateway-under-test.ts';

let under: GatewayUnderTest;
const answeredAt = '2026-01-16T08:00:00.000Z';
beforeAll(async () => {
  under = await startGatewayUnderTest();
});
beforeEach(() => {
  answerAsKnown(under.bus);
  under.bus.answer(answerReview, () => ({ answeredAt, position: '11' }));
});
afterAll(() => under.stop());

const own = { authorization: `Bearer ${agentKey}` };
const answer = (changes: object = {}, headers: Record<string, string> = own): Promise<Response> =>
  post(
    `${under.url}/review/answer`,
    { agent_id: 'caller', transaction_id: 't1', text: 'Mended.', ...changes },
    headers,
  );
const codeOf = async (response: Response): Promise<[number, unknown]> => [
  response.status,
  ((await response.json()) as { code: unknown }).code,
];
const lastCommand = () => under.bus.inputsOf(answerReview).at(-1);

describe('POST /review/answer', () => {
  it('says when the review was answered, and does not repeat the text', async () => {
    expect(await (await answer()).json()).toEqual({
      agent_id: 'caller',
      transaction_id: 't1',
      status: 'answered',
      answered_at: answeredAt,
    });
    expect(lastCommand()).toEqual({
      agentId: 'caller',
      authority: { kind: 'agent', agentId: 'caller' },
      transactionId: 't1',
      text: 'Mended.',
      commandId: null,
      earlierCommandId: null,
      actor: { kind: 'agent', id: 'caller', credentials: ['agent_key'] },
    });
  });

  it('says for whom it is asked: the agent that the credential belongs to, whatever the body names', async () => {
    await answer({ agent_id: 'another' });
    expect(lastCommand()).toMatchObject({ agentId: 'another', authority: { kind: 'agent', agentId: 'caller' } });
    await answer({}, { 'x-api-key': orgKey });
    expect(lastCommand()?.authority).toEqual({
      kind: 'organisation',
      orgId: organisation.orgId,
      universe: production,
    });
    await answer({}, { authorization: `Bearer ${adminToken}` });
    expect(lastCommand()?.authority).toEqual({ kind: 'admin' });
    expect(await codeOf(await answer({}, {}))).toEqual([401, 'credential_required']);
  });

  it('is the same command under one Idempotency-Key, if its first answer was lost', async () => {
    const headers = { ...own, 'idempotency-key': randomUUID() };
    under.bus.answer(answerReview, () => {
      throw new DomainError('unavailable', 'no answer');
    });
    expect(await codeOf(await answer({}, headers))).toEqual([503, 'unavailable']);
    const first = lastCommand()?.commandId;
    expect(first).toEqual(expect.any(String));
    expect(await codeOf(await answer({ text: 'Another.' }, headers))).toEqual([422, 'idempotency_key_reused']);
    under.bus.answer(answerReview, () => ({ answeredAt, position: '11' }));
    expect((await answer({}, headers)).status).toBe(200);
    expect(lastCommand()?.commandId).toBe(first);
    const commands = under.bus.inputsOf(answerReview).length;
    expect((await answer({}, headers)).status).toBe(200);
    expect(under.bus.inputsOf(answerReview)).toHaveLength(commands);
  });

  it.each([
    ['not_owner', 403],
    ['wrong_universe', 403],
    ['agent_retired', 403],
    ['agent_not_found', 404],
    ['review_not_found', 404],
    ['already_answered', 409],
  ] as const)('passes the refusal %s on', async (code, status) => {
    under.bus.answer(answerReview, () => {
      throw new DomainError(code, 'no');
    });
    expect(await codeOf(await answer())).toEqual([status, code]);
  });

  it.each([
    [{ text: '' }],
    [{ text: 'a\nb' }],
    [{ text: 'x'.repeat(501) }],
    [{ text: null }],
    [{ transaction_id: '' }],
  ])('refuses %j', async (changes) => {
    expect(await codeOf(await answer(changes))).toEqual([422, 'validation_failed']);
  });
});
