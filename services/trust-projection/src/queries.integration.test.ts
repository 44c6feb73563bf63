import {
  authenticateAgentKey,
  authenticateOrgKey,
  findUnreviewedExchange,
  getAgent,
  getAgentProfile,
  getCallTarget,
  getFallbackAgent,
  getOwnerAgent,
  getReviewFacts,
  getStatus,
  listRegistry,
  matchAgents,
} from '@agent-trust/contracts';
import { randomUUID } from 'node:crypto';
import { eventIdOfCommand, type JsonObject } from '@agent-trust/event-log';
import type { Sent } from '@agent-trust/nats-rpc';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  agentRegistered,
  exchangeCompleted,
  exchangeFailed,
  exchangeReviewed,
  exchangeStarted,
  keyRotated,
  organisationCreated,
  production,
  sha256,
} from './testing/made-history.ts';
import { createServiceFixture, type ServiceFixture } from './testing/service-fixture.ts';

let fixture: ServiceFixture;
let atLeast: string;
const sandbox = { kind: 'sandbox', orgId: 'acme' } as const;
const otherSandbox = { kind: 'sandbox', orgId: 'other' } as const;
const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const ask = { timeoutMs: 5_000 };

beforeAll(async () => {
  fixture = await createServiceFixture();
  const call = { transactionId: 't1', callerAgentId: 'caller', receiverAgentId: 'acme-bot' };
  const failed = { ...call, transactionId: 't2' };
  const inSandbox = { transactionId: 's1', callerAgentId: 'draft-caller', receiverAgentId: 'draft', universe: sandbox };
  atLeast = await fixture.record(
    organisationCreated('acme', at(0)),
    agentRegistered(
      {
        agentId: 'acme-bot',
        orgId: 'acme',
        orgDomain: 'acme.test',
        verified: true,
        configuration: {
          capabilities: [
            { name: 'quote', weight: 3 },
            { name: 'order', weight: 1 },
          ],
        },
      },
      at(1),
    ),
    keyRotated('acme-bot', sha256('old key'), at(2)),
    keyRotated('acme-bot', sha256('new key'), at(3)),
    agentRegistered({ agentId: 'caller', configuration: { endpointUrl: null } }, at(4)),
    agentRegistered(
      {
        agentId: 'light',
        configuration: {
          capabilities: [{ name: 'quote', weight: 1 }],
          settlementRail: ['stripe'],
          messageProtocol: 'mcp',
        },
      },
      at(4),
    ),
    agentRegistered({ agentId: 'draft', orgId: 'acme', universe: sandbox, verified: true }, at(5)),
    agentRegistered({ agentId: 'draft-caller', orgId: 'acme', universe: sandbox, verified: true }, at(5)),
    exchangeStarted(call, at(6)),
    exchangeCompleted(call, at(7)),
    exchangeStarted(failed, at(8)),
    exchangeFailed(failed, at(9)),
    exchangeStarted(inSandbox, at(10)),
    exchangeCompleted(inSandbox, at(11)),
    exchangeReviewed(inSandbox, at(12), { score: 1, success: false }),
    exchangeReviewed(call, at(13), { score: 10, orgDomain: 'caller.test', roots: { 'caller.test': 1 } }),
  );
});
afterAll(() => fixture.close());

describe('queries', () => {
  it('return the owner of a key, for current keys only', async () => {
    const whose = (key: string) =>
      fixture.gateway.request(authenticateAgentKey, { keyHash: sha256(key), atLeast }, ask);
    expect(await whose('new key')).toEqual({
      agent: { agentId: 'acme-bot', universe: production, orgId: 'acme', block: null },
    });
    expect(await whose('old key')).toEqual({ agent: null });
    const org = (key: string) => fixture.gateway.request(authenticateOrgKey, { keyHash: sha256(key), atLeast }, ask);
    const organisation = { orgId: 'acme', orgName: 'Organisation acme', isDisabled: false, namedKey: null };
    expect(await org('acme production')).toEqual({ organisation: { ...organisation, universe: production } });
    expect(await org('acme sandbox')).toEqual({ organisation: { ...organisation, universe: sandbox } });
    expect(await org('nobody')).toEqual({ organisation: null });
  });

  it('show an agent with its reputation, and its endpoint to its owner alone', async () => {
    const input = { agentId: 'acme-bot', universe: production, atLeast };
    const { agent } = await fixture.gateway.request(getAgent, input, ask);
    expect(agent).toMatchObject({
      verified: true,
      trustPolicy: 'v1',
      transactionCount: 1,
      successRate: 1,
      flags: [],
      payable: true,
      recommendedAction: 'proceed',
      registeredAt: at(1),
      lastActive: at(7),
      lastTransactionAt: at(7),
    });
    expect(agent?.trustScore).toBeGreaterThan(75);
    expect(JSON.stringify(agent)).not.toContain('https://agent.test');
    const owned = await fixture.gateway.request(getOwnerAgent, input, ask);
    expect(owned.agent).toEqual({
      ...agent,
      endpointUrl: 'https://agent.test/a2a',
      isSandbox: false,
      relatedAgentId: null,
    });
    const profile = await fixture.gateway.request(getAgentProfile, input, ask);
    expect(profile).toEqual({
      agent: { ...agent, contactInfo: null },
      ratings: [
        {
          transactionId: 't1',
          callerAgentId: 'caller',
          callerOrgDomain: 'caller.test',
          success: true,
          score: 10,
          reviewedAt: at(13),
        },
      ],
    });
    const target = await fixture.gateway.request(getCallTarget, { agentId: 'acme-bot', universe: production }, ask);
    expect(target).toMatchObject({
      target: { endpointUrl: 'https://agent.test/a2a', messageProtocol: 'a2a', payable: true, orgId: 'acme' },
    });
  });

  it('see nothing across universes', async () => {
    const seen = async (agentId: string, universe: typeof production | typeof sandbox): Promise<boolean> =>
      (await fixture.gateway.request(getAgent, { agentId, universe, atLeast }, ask)).agent !== null;
    expect(await seen('draft', sandbox)).toBe(true);
    expect(await seen('draft', production)).toBe(false);
    expect(await seen('draft', otherSandbox)).toBe(false);
    expect(await seen('acme-bot', sandbox)).toBe(false);
    const target = { agentId: 'draft', universe: production };
    expect(await fixture.gateway.request(getCallTarget, target, ask)).toEqual({ target: null });
  });

  it('count nothing that happened in a sandbox, but show it there', async () => {
    const profile = await fixture.gateway.request(
      getAgentProfile,
      { agentId: 'draft', universe: sandbox, atLeast },
      ask,
    );
    expect(profile.agent).toMatchObject({ trustScore: 75, transactionCount: 0, successRate: null, lastActive: at(11) });
    expect(profile.agent?.flags).toContain('sandbox');
    expect(profile.ratings).toMatchObject([{ transactionId: 's1', score: 1 }]);
  });

  it('page the registry by trust, then id, with the total', async () => {
    const list = (offset: number, minTrustScore = 0, universe: typeof production | typeof sandbox = production) =>
      fixture.gateway.request(listRegistry, { universe, limit: 1, offset, minTrustScore }, ask);
    const ids = async (...page: Parameters<typeof list>) => {
      const { agents, total } = await list(...page);
      return [agents.map(({ agentId }) => agentId), total];
    };
    expect(await ids(0)).toEqual([['acme-bot'], 2]);
    expect(await ids(1)).toEqual([['light'], 2]);
    expect(await ids(2)).toEqual([[], 2]);
    expect(await ids(0, 50)).toEqual([['acme-bot'], 1]);
    expect(await ids(0, 0, sandbox)).toEqual([['draft'], 2]);
    expect(await ids(0, 0, otherSandbox as never)).toEqual([[], 0]);
  });

  it('match by capability, rail, organisation and protocol', async () => {
    const none = { requiredCapabilities: null, settlementRail: null, orgName: null, messageProtocol: null };
    const match = async (filters: Partial<Parameters<typeof fixture.gateway.request<typeof matchAgents>>[1]>) => {
      const input = { universe: production, ...none, limit: 50, offset: 0, client: 'one', ...filters };
      const { reasons, matches } = await fixture.gateway.request(matchAgents, input, ask);
      return matches.map((one) => ({ ...one, matchReasons: one.matchReasons.map((place) => reasons[place]) }));
    };
    const ids = async (filters: Parameters<typeof match>[0]) => (await match(filters)).map(({ agentId }) => agentId);
    const [best, second] = await match({ requiredCapabilities: ['quote'] });
    expect(await ids({ requiredCapabilities: ['quote'], limit: 1, offset: 1 })).toEqual([second?.agentId]);
    expect([best?.agentId, second?.agentId]).toEqual(['acme-bot', 'light']);
    expect(best?.matchReasons).toEqual([
      { requiredCapability: 'quote', matchedCapability: 'quote', weight: 3, how: 'exact', similarity: 1 },
    ]);
    // 0.6·1/3 + 0.25·40/100, with neither reviews nor transactions.
    expect(second?.matchScore).toBe(0.3);
    expect(await ids({ requiredCapabilities: ['order', 'nothing'] })).toEqual(['acme-bot']);
    expect(await ids({ requiredCapabilities: ['nothing'] })).toEqual([]);
    expect(await ids({ settlementRail: ['stripe', 'manual'] })).toEqual(['light']);
    expect(await ids({ orgName: 'ORGANISATION ACME' })).toEqual(['acme-bot']);
    expect(await ids({ messageProtocol: 'mcp' })).toEqual(['light']);
    expect(await ids({ requiredCapabilities: ['quote'], messageProtocol: 'mcp', settlementRail: ['x402'] })).toEqual(
      [],
    );
    expect(await ids({ universe: sandbox, requiredCapabilities: ['quote'] })).toEqual(['draft', 'draft-caller']);
    const instead = await fixture.gateway.request(getFallbackAgent, { agentId: 'acme-bot', universe: production }, ask);
    expect(instead).toEqual({ agentId: 'light' });
  });

  it('find the data for a review', async () => {
    const pair = { callerAgentId: 'caller', receiverAgentId: 'acme-bot' };
    const facts = (over: Partial<Sent<(typeof getReviewFacts)['input']>> = {}) =>
      fixture.gateway.request(getReviewFacts, { ...pair, universe: production, transactionId: null, ...over }, ask);
    const acme = { universe: production, orgId: 'acme', orgDomain: 'acme.test' };
    expect(await facts()).toEqual({
      position: atLeast,
      reviewer: { universe: production, orgId: null, orgDomain: null, trustScore: 40, roots: { none: 1 } },
      receiver: acme,
      transactionId: 't2',
      isArchived: false,
    });
    expect(await facts({ callerAgentId: 'acme-bot', receiverAgentId: 'nobody' })).toMatchObject({
      reviewer: { ...acme, roots: { 'acme.test': 1 } },
      receiver: null,
      transactionId: null,
    });
    expect(await facts({ callerAgentId: 'nobody' })).toMatchObject({ reviewer: null, receiver: acme });
    // Reviewed, of another pair or universe, unknown.
    expect(await facts({ transactionId: 't2' })).toMatchObject({ transactionId: 't2' });
    expect(await facts({ transactionId: 't1' })).toMatchObject({ transactionId: null });
    expect(await facts({ transactionId: 't2', universe: sandbox })).toMatchObject({ transactionId: null });
    expect(await facts({ transactionId: 't2', callerAgentId: 'light' })).toMatchObject({ transactionId: null });
    expect(await facts({ transactionId: 'x' })).toMatchObject({ transactionId: null });
    const open = (universe: typeof production | typeof sandbox) =>
      fixture.gateway.request(findUnreviewedExchange, { ...pair, universe }, ask);
    expect(await open(production)).toEqual({ transactionId: 't2' });
    expect(await open(sandbox)).toEqual({ transactionId: null });

    // A review that was sent again, when nothing but the log knows of the first time, is of the exchange that it has reviewed.
    const [commandId, ofYesterday] = [randomUUID(), randomUUID()];
    const reviewBy = async (transactionId: string, command: string, reviewedAt: Date): Promise<void> => {
      const exchange = { transactionId, ...pair };
      await fixture.record(exchangeStarted(exchange, at(14)), exchangeCompleted(exchange, at(15)));
      const { stream, event } = exchangeReviewed(exchange, reviewedAt.toISOString(), {});
      const { type, data } = event;
      const eventId = eventIdOfCommand(command, stream, 0);
      const { position } = await fixture.log.append(
        stream,
        [{ eventId, type, data: data as unknown as JsonObject, metadata: { schemaVersion: 1 } }],
        { expectedRevision: 1n },
      );
      await fixture.gateway.request(
        getAgent,
        { agentId: 'caller', universe: production, atLeast: String(position) },
        ask,
      );
    };
    const dayMs = 24 * 3_600_000;
    await reviewBy('t3', commandId, new Date(Date.now() - dayMs / 2));
    await reviewBy('t4', ofYesterday, new Date(Date.now() - dayMs * 2));
    const reviewed = (ids: Sent<(typeof findUnreviewedExchange)['input']> | object) =>
      fixture.gateway.request(findUnreviewedExchange, { ...pair, universe: production, ...ids }, ask);
    expect(await reviewed({ commandId })).toEqual({ transactionId: 't3' });
    expect(await reviewed({ commandId: randomUUID(), earlierCommandId: commandId })).toEqual({ transactionId: 't3' });
    expect(await reviewed({ commandId, callerAgentId: 'light' })).toEqual({ transactionId: null });
    expect(await reviewed({ commandId: ofYesterday })).toEqual({ transactionId: 't2' });
  });

  it('wait for a position, and refuse when they have waited too long', async () => {
    const asked = { agentId: 'acme', universe: production };
    expect(await fixture.gateway.request(getAgent, { ...asked, atLeast }, ask)).toHaveProperty('agent');
    await expect(
      fixture.gateway.request(getAgent, { ...asked, atLeast: '9000000000000000000' }, { timeoutMs: 8_000 }),
    ).rejects.toMatchObject({ code: 'read_model_behind' });
  });

  it('see a write at once, a hundred times in a row, on every instance', async () => {
    const second = await fixture.startInstance('second');
    for (let n = 0; n < 100; n += 1) {
      const agentId = `new-${n}`;
      const written = await fixture.record(agentRegistered({ agentId, configuration: { endpointUrl: null } }, at(20)));
      const { agent } = await fixture.gateway.request(
        getAgent,
        { agentId, universe: production, atLeast: written },
        ask,
      );
      expect(agent?.agentId).toBe(agentId);
    }
    expect(await second.health?.()).toMatchObject({ status: 'ok' });
  });

  it('report the state of the service', async () => {
    const status = await fixture.gateway.request(getStatus, {}, ask);
    expect(status).toMatchObject({
      database: { status: 'ok' },
      eventLog: { status: 'ok' },
      projection: { status: 'ok', lag: 0 },
    });
    expect(status.projection.position).toBe(status.projection.headPosition);
  });
});
