/** Bug: an agent is ranked higher because agents of its own organisation call it, or agents that cost nothing. */
import { getAgent, matchAgents } from '@agent-trust/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  agentRegistered,
  exchangeCompleted,
  exchangeStarted,
  type MadeEvent,
  organisationCreated,
  production,
} from '../../testing/made-history.ts';
import { createServiceFixture, type ServiceFixture } from '../../testing/service-fixture.ts';

let fixture: ServiceFixture;
let atLeast: string;
const ask = { timeoutMs: 20_000 };
let minutes = 0;
const now = (): string => new Date(Date.UTC(2026, 0, 1, 0, (minutes += 1))).toISOString();

const member = (agentId: string, orgId: string | null): MadeEvent =>
  agentRegistered(
    { agentId, orgId, verified: true, configuration: { capabilities: [{ name: 'price_quote', weight: 3 }] } },
    now(),
  );
const called = (receiverAgentId: string, callers: readonly string[]): MadeEvent[] =>
  callers.flatMap((callerAgentId, place) => {
    const parties = { transactionId: `${receiverAgentId}-${place}`, callerAgentId, receiverAgentId };
    return [exchangeStarted(parties, now()), exchangeCompleted(parties, now())];
  });

beforeAll(async () => {
  fixture = await createServiceFixture();
  atLeast = await fixture.record(
    organisationCreated('acme', now()),
    organisationCreated('globex', now()),
    member('a-by-its-own', 'acme'),
    member('b-by-nobody', 'acme'),
    member('c-by-others', 'acme'),
    member('d-alone', null),
    member('e-alone', null),
    member('colleague', 'acme'),
    member('partner', 'globex'),
    ...called('a-by-its-own', Array(9).fill('colleague')),
    ...called('b-by-nobody', Array(9).fill('e-alone')),
    ...called('c-by-others', ['partner']),
    ...called('d-alone', ['e-alone', 'partner']),
  );
});
afterAll(() => fixture.close());

it('only exchanges with callers of other organisations count for the ranking; all of them are shown', async () => {
  const shown = async (agentId: string) =>
    (await fixture.gateway.request(getAgent, { agentId, universe: production, atLeast }, ask)).agent?.transactionCount;
  expect(await Promise.all(['a-by-its-own', 'b-by-nobody', 'c-by-others', 'd-alone'].map(shown))).toEqual([9, 9, 1, 2]);
  const question = {
    universe: production,
    requiredCapabilities: ['price_quote'],
    settlementRail: null,
    orgName: null,
    messageProtocol: null,
    limit: 4,
    offset: 0,
    client: 'test',
  };
  // The score of one exchange goes before that of none; the rest is equal.
  const { matches } = await fixture.gateway.request(matchAgents, question, ask);
  expect(matches.map(({ agentId }) => agentId)).toEqual(['c-by-others', 'd-alone', 'a-by-its-own', 'b-by-nobody']);
  expect(matches.map(({ matchScore }) => matchScore)).toEqual([0.7913, 0.7913, 0.7875, 0.7875]);
});
