import { randomUUID } from 'node:crypto';
import {
  agentStream,
  answerReview,
  erasePersonalData,
  type ExchangeEvent,
  exchangeStream,
  production,
  registerAgent,
  retireAgent,
  type Universe,
} from '@agent-trust/contracts';
import { exchangeCompleted, exchangeReviewed, exchangeStarted } from '@agent-trust/domain/testing';
import { openText } from '@agent-trust/personal-data';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerInput, orgKeyOf, registerInput } from '../testing/inputs.ts';
import { startRegistryWrite, type TestRegistry } from '../testing/start-registry-write.ts';

let registry: TestRegistry;
const sandbox: Universe = { kind: 'sandbox', orgId: 'org-2' };
const actor = { kind: 'admin', id: null } as const;

beforeAll(async () => {
  registry = await startRegistryWrite({ instances: 3 });
  for (const [agentId, universe] of [
    ['receiver', production],
    ['other', production],
    ['ended', production],
    ['draft', sandbox],
  ] as const) {
    const contact = { contactInfo: null, contactEmail: null };
    await registry.ask(registerAgent, registerInput({ agentId, contact, credential: orgKeyOf('org-2', universe) }));
  }
});
afterAll(() => registry.stop());

const exchange = async (over: { receiverAgentId?: string; universe?: Universe; reviewed?: boolean } = {}) => {
  const { reviewed = true, ...parties } = over;
  const transactionId = randomUUID();
  const of = { transactionId, ...parties };
  const events = [exchangeStarted(of), exchangeCompleted(of), ...(reviewed ? [exchangeReviewed(of)] : [])];
  await registry.write(exchangeStream(transactionId), ...events);
  return transactionId;
};
const outcome = (over: Parameters<typeof answerInput>[0]): Promise<string> =>
  registry.outcomeOf(registry.ask(answerReview, answerInput(over)));
const answerIn = async (transactionId: string) => {
  const event = (await registry.eventsOf(exchangeStream(transactionId))).at(-1) as ExchangeEvent;
  if (event.type !== 'ReviewAnswered') throw new Error(`the last event is ${event.type}`);
  return event.data;
};
const opened = async (transactionId: string): Promise<string | null> => {
  const { answer } = await answerIn(transactionId);
  const key = await registry.contactKeys.find(answer.keyId);
  return key && openText(key, { answerTo: transactionId }, answer);
};

describe('an answer to a review', () => {
  it('is in the log when it is acknowledged, sealed with the key of the reviewed agent', async () => {
    const transactionId = await exchange();
    const answered = await registry.ask(answerReview, answerInput({ transactionId, text: 'We have refunded it.' }));
    const recorded = (await registry.recordedIn(exchangeStream(transactionId))).at(-1);
    expect(recorded?.position.toString()).toBe(answered.position);
    expect(recorded?.metadata).toMatchObject({ actor: { kind: 'organisation', id: 'org-2' } });
    expect(await answerIn(transactionId)).toMatchObject({
      transactionId,
      receiverAgentId: 'receiver',
      answeredAt: answered.answeredAt,
    });
    expect(JSON.stringify(await answerIn(transactionId))).not.toContain('refunded');
    expect(await opened(transactionId)).toBe('We have refunded it.');
  });

  it('is given once, of many at once by exactly one', async () => {
    const transactionId = await exchange();
    const texts = Array.from({ length: 12 }, (_, n) => `answer ${n}`);
    const outcomes = await Promise.all(texts.map((text) => outcome({ transactionId, text })));
    expect(outcomes.toSorted()).toEqual([...Array<string>(11).fill('already_answered'), 'ok']);
    expect(await opened(transactionId)).toBe(texts[outcomes.indexOf('ok')]);
    expect(await registry.eventsOf(exchangeStream(transactionId))).toHaveLength(4);
  });

  it('is for the owner of the reviewed agent, and others do not learn of the review', async () => {
    const transactionId = await exchange();
    const other = { agentId: 'other', transactionId };
    expect(await outcome(other)).toBe('review_not_found');
    expect(await outcome({ transactionId: await exchange({ reviewed: false }) })).toBe('review_not_found');
    expect(await outcome({ transactionId: randomUUID() })).toBe('review_not_found');
    expect(await outcome({ transactionId, authority: { kind: 'agent', agentId: 'other' } })).toBe('not_owner');
    expect(await outcome({ agentId: 'nobody', transactionId })).toBe('agent_not_found');
    expect(await outcome({ agentId: 'draft', transactionId })).toBe('wrong_universe');
    expect(await outcome({ transactionId, authority: { kind: 'agent', agentId: 'receiver' } })).toBe('ok');
    expect(await outcome(other)).toBe('review_not_found');
    // A refusal leaves no key behind.
    expect(await registry.contactKeys.destroy('other')).toEqual([]);
  });

  it('is given in the universe of the exchange', async () => {
    const own = { kind: 'organisation', orgId: 'org-2', universe: sandbox } as const;
    const there = await exchange({ receiverAgentId: 'draft', universe: sandbox });
    expect(await outcome({ agentId: 'draft', transactionId: there, authority: own })).toBe('ok');
    const elsewhere = await exchange({ receiverAgentId: 'draft' });
    expect(await outcome({ agentId: 'draft', transactionId: elsewhere, authority: own })).toBe('review_not_found');
  });

  it('is not given for an agent out of service', async () => {
    const transactionId = await exchange({ receiverAgentId: 'ended' });
    await registry.ask(retireAgent, { agentId: 'ended', authority: { kind: 'admin' }, actor });
    for (const authority of [answerInput().authority, { kind: 'admin' } as const])
      expect(await outcome({ agentId: 'ended', transactionId, authority })).toBe('agent_retired');
  });

  it('is answered as the first time if it is repeated', async () => {
    const transactionId = await exchange();
    const input = answerInput({ transactionId, commandId: randomUUID() });
    const first = await registry.ask(answerReview, input);
    expect(await Promise.all(Array.from({ length: 5 }, () => registry.ask(answerReview, input)))).toEqual(
      Array(5).fill(first),
    );
    expect(await outcome({ transactionId, commandId: randomUUID() })).toBe('already_answered');
  });

  it('is erased with the personal data of the agent, whose later answers have another key', async () => {
    const [first, second] = [await exchange(), await exchange()];
    expect(await outcome({ transactionId: first })).toBe('ok');
    const { keyId } = (await answerIn(first)).answer;
    await registry.ask(erasePersonalData, { agentId: 'receiver', actor });
    expect((await registry.eventsOf(agentStream('receiver'))).at(-1)).toMatchObject({
      type: 'PersonalDataErased',
      data: { keyIds: [keyId] },
    });
    expect(await opened(first)).toBeNull();
    expect(await outcome({ transactionId: first })).toBe('already_answered');
    expect(await outcome({ transactionId: second, text: 'It is mended.' })).toBe('ok');
    expect(await opened(second)).toBe('It is mended.');
  });
});
