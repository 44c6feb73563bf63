/**
 * Bug: a service dies between the append and the answer, and a client that repeats its request is refused because of the request's own effect.
 * Method: each command is sent twice with one id, as the gateway does after a crash, also at once over several instances.
 */
import { randomUUID } from 'node:crypto';
import { agentStream, exchangeStream, production, registerAgent, submitReview } from '@agent-trust/contracts';
import { exchangeCompleted, exchangeStarted } from '@agent-trust/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orgKeyOf, registerInput, reviewInput } from '../testing/inputs.ts';
import { startRegistryWrite, type TestRegistry } from '../testing/start-registry-write.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistryWrite({ instances: 3 });
  await registry.ask(registerAgent, registerInput({ agentId: 'receiver', credential: orgKeyOf('org-2') }));
  registry.projection.standings.set('caller', {
    universe: production,
    orgId: 'org-1',
    orgDomain: null,
    trustScore: 75,
    roots: { 'acme.example': 1 },
  });
});
afterAll(() => registry.stop());

describe('a repeated registration', () => {
  const domain = `given-again-${process.pid}.example`;
  const input = (over: object = {}) =>
    registerInput({
      agentId: 'registered-twice',
      orgDomain: domain,
      credential: orgKeyOf('org-1'),
      commandId: 'c0ffee00-0000-4000-8000-000000000001',
      ...over,
    });

  it('returns the first answer, even twenty at once, and is in the log once', async () => {
    const first = await registry.ask(registerAgent, input());
    const again = await Promise.all(Array.from({ length: 20 }, () => registry.ask(registerAgent, input())));
    expect(new Set(again.map((answer) => JSON.stringify(answer)))).toEqual(new Set([JSON.stringify(first)]));
    const types = (await registry.eventsOf(agentStream('registered-twice'))).map(({ type }) => type);
    expect(types).toEqual(['AgentRegistered', 'ClaimIssued']);
  });

  // Bug: the entry of the key is lost around midnight UTC, and the repetition is refused because of its own first request.
  it('returns the first answer under the id of the day before, for 24 hours', async () => {
    const first = await registry.ask(registerAgent, input());
    const { commandId: earlierCommandId } = input();
    const nextDay = () => registry.ask(registerAgent, input({ commandId: randomUUID(), earlierCommandId }));
    registry.skipSeconds(23 * 3_600);
    expect(await nextDay()).toEqual(first);
    registry.skipSeconds(2 * 3_600);
    expect(await registry.outcomeOf(nextDay())).toBe('agent_id_taken');
    registry.skipSeconds(-25 * 3_600);
  });

  it('under another command id is refused because the agent exists', async () => {
    expect(await registry.outcomeOf(registry.ask(registerAgent, input({ commandId: null })))).toBe('agent_id_taken');
    expect(await registry.outcomeOf(registry.ask(registerAgent, input({ commandId: randomUUID() })))).toBe(
      'agent_id_taken',
    );
  });

  it('twenty at once that are all the first: one is written, all get its answer', async () => {
    const commandId = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => registry.ask(registerAgent, registerInput({ agentId: 'at once', commandId }))),
    );
    expect(new Set(answers.map((answer) => ('position' in answer ? answer.position : answer.outcome))).size).toBe(1);
    expect(await registry.eventsOf(agentStream('at once'))).toHaveLength(2);
  });
});

describe('a repeated review', () => {
  const exchange = async (): Promise<string> => {
    const transactionId = randomUUID();
    await registry.write(
      exchangeStream(transactionId),
      exchangeStarted({ transactionId }),
      exchangeCompleted({ transactionId }),
    );
    return transactionId;
  };
  const outcome = (over: Parameters<typeof reviewInput>[0]): Promise<string> =>
    registry.outcomeOf(registry.ask(submitReview, reviewInput(over)));

  it('returns the first answer, whatever the rules would decide by now', async () => {
    const transactionId = await exchange();
    const input = reviewInput({ transactionId, commandId: randomUUID() });
    const first = await registry.ask(submitReview, input);
    registry.projection.standings.set('caller', {
      ...registry.projection.standings.get('caller')!,
      trustScore: 10,
    });
    expect(await registry.ask(submitReview, input)).toEqual(first);
    expect(await outcome({ transactionId, commandId: randomUUID() })).toBe('caller_trust_too_low');
    registry.projection.standings.get('caller')!.trustScore = 75;
    expect(await outcome({ transactionId, commandId: randomUUID() })).toBe('already_reviewed');
    expect(await registry.eventsOf(exchangeStream(transactionId))).toHaveLength(3);
  });

  it('names its exchange, because the newest one would change with the first attempt', async () => {
    await exchange();
    expect(await outcome({ commandId: randomUUID() })).toBe('no_unreviewed_exchange');
    expect(await outcome({ commandId: randomUUID(), receiverAgentId: 'unknown' })).toBe('agent_not_found');
    expect(await outcome({ commandId: null })).toBe('ok');
  });
});
