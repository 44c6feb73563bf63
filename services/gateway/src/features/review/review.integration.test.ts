import { DomainError, getAgent, production, submitReview, trustObject } from '@agent-trust/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { agentKey } from '../../testing/agents.ts';
import { answerAsKnown, type GatewayUnderTest, post, startGatewayUnderTest } from '../../testing/gateway-under-test.ts';

let under: GatewayUnderTest;
beforeAll(async () => {
  under = await startGatewayUnderTest();
});
beforeEach(() => {
  answerAsKnown(under.bus);
  under.bus.answer(submitReview, () => ({ transactionId: 't1', position: '11' }));
});
afterAll(() => under.stop());

const review = (
  changes: object = {},
  headers: Record<string, string> = { authorization: `Bearer ${agentKey}` },
): Promise<Response> =>
  post(
    `${under.url}/review`,
    { caller_agent_id: 'caller', receiver_agent_id: 'receiver', success: true, score: 9, ...changes },
    headers,
  );
const codeOf = async (response: Response): Promise<[number, unknown]> => [
  response.status,
  ((await response.json()) as { code: unknown }).code,
];

describe('POST /review', () => {
  it("returns the receiver's trust object after the review", async () => {
    const response = await review();
    expect(trustObject.parse(await response.json()).agent_id).toBe('receiver');
    expect(under.bus.inputsOf(submitReview).at(-1)).toEqual({
      callerAgentId: 'caller',
      callerUniverse: production,
      receiverAgentId: 'receiver',
      transactionId: null,
      success: true,
      score: 9,
      commandId: null,
      earlierCommandId: null,
      actor: { kind: 'agent', id: 'caller', credentials: ['agent_key'] },
    });
    expect(under.bus.inputsOf(getAgent).at(-1)).toMatchObject({ agentId: 'receiver', atLeast: '11' });
  });

  it('checks shape, credential, receiver and caller in this order', async () => {
    const before = under.bus.inputsOf(submitReview).length;
    expect(await codeOf(await review({ score: 11 }, {}))).toEqual([422, 'validation_failed']);
    expect(await codeOf(await review({ caller_agent_id: 'other', receiver_agent_id: 'nobody' }, {}))).toEqual([
      401,
      'credential_required',
    ]);
    expect(await codeOf(await review({ caller_agent_id: 'other', receiver_agent_id: 'nobody' }))).toEqual([
      404,
      'agent_not_found',
    ]);
    expect(await codeOf(await review({ caller_agent_id: 'other' }))).toEqual([403, 'caller_mismatch']);
    expect(under.bus.inputsOf(submitReview)).toHaveLength(before);
  });

  it.each([
    [{ score: 0 }],
    [{ score: 1.5 }],
    [{ score: '9' }],
    [{ success: 'yes' }],
    [{ success: null }],
    [{ receiver_agent_id: null }],
    [{ transaction_id: '' }],
  ])('refuses %j', async (changes) => {
    expect(await codeOf(await review(changes))).toEqual([422, 'validation_failed']);
  });

  it.each([
    ['self_review', 403],
    ['caller_trust_too_low', 403],
    ['same_org_domain', 403],
    ['no_unreviewed_exchange', 409],
    ['already_reviewed', 409],
    ['agent_not_found', 404],
  ] as const)('passes the refusal %s on', async (code, status) => {
    under.bus.answer(submitReview, () => {
      throw new DomainError(code, 'no');
    });
    expect(await codeOf(await review())).toEqual([status, code]);
  });

  it('refuses an invalid signature beside a valid key', async () => {
    const authorization = `Bearer ${agentKey}`;
    expect(await codeOf(await review({}, { authorization, 'signature-input': 'sig1=()' }))).toEqual([
      401,
      'invalid_credential',
    ]);
  });
});
