import { listCapabilities, limits, type Universe } from '@agent-trust/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentEvent, taxonomyEvent } from '../testing/made-changes.ts';
import { agentRegistered, type MadeEvent, organisationCreated, production } from '../testing/made-history.ts';
import { createServiceFixture, type ServiceFixture } from '../testing/service-fixture.ts';

let fixture: ServiceFixture;
const at = '2026-01-01T00:00:00.000Z';
const ask = { timeoutMs: 5_000 };
const sandbox: Universe = { kind: 'sandbox', orgId: 'acme' };
const otherSandbox: Universe = { kind: 'sandbox', orgId: 'other' };

const define = (name: string, category: string, aliases: string[]): MadeEvent =>
  taxonomyEvent('CapabilityDefined', {
    name,
    category,
    description: `What ${name} is.`,
    aliases,
    phrases: [],
    definedAt: at,
  });
const register = (agentId: string, names: string[], universe: Universe = production): MadeEvent =>
  agentRegistered(
    { agentId, universe, configuration: { capabilities: names.map((name) => ({ name, weight: 1 })) } },
    at,
  );
const confirmed = (alias: string, name: string): MadeEvent => ({
  stream: `capability_alias-${alias}`,
  event: { type: 'CapabilityAliasConfirmed', data: { alias, name, reason: 'known', confirmedAt: at } },
});
const answered = (submitted: string, candidate: string, universe: Universe): MadeEvent =>
  agentEvent('CapabilityConfirmationAnswered', {
    agentId: 'bot',
    universe,
    submitted,
    candidate,
    accepted: true,
    answeredAt: at,
  });

beforeAll(async () => {
  fixture = await createServiceFixture();
  const position = await fixture.record(
    organisationCreated('acme', at),
    define('price_quote', 'commerce', ['quote', 'price_100%_sure']),
    define('auction_bidding', 'commerce', ['bidding']),
    define('translation', 'language', ['translating']),
    register('bot', ['price_quote', 'bee_keeping']),
    register('rival', ['price_quote', 'translation']),
    register('draft', ['wax_melting', 'price_quote'], sandbox),
    confirmed('offer_please', 'quote'),
    confirmed('apiary', 'bee_keeping'),
    answered('candle_wax', 'wax_melting', sandbox),
    answered('apiary_here', 'bee_keeping', sandbox),
  );
  await fixture.untilVisible(position);
});
afterAll(() => fixture.close());

const list = (asked: { universe?: Universe; text?: string; category?: string; limit?: number; offset?: number } = {}) =>
  fixture.gateway.request(
    listCapabilities,
    { universe: production, text: null, category: null, limit: 100, offset: 0, ...asked },
    ask,
  );
const names = async (asked: Parameters<typeof list>[0]): Promise<string[]> =>
  (await list(asked)).capabilities.map(({ name }) => name);

describe('the capabilities', () => {
  it('come by category and name, then those that agents brought, with aliases and the number of agents', async () => {
    const { categories, capabilities, total } = await list();
    expect(categories).toEqual([
      { category: 'commerce', capabilityCount: 2 },
      { category: 'language', capabilityCount: 1 },
    ]);
    expect(total).toBe(4);
    expect(capabilities).toEqual([
      {
        name: 'auction_bidding',
        category: 'commerce',
        description: 'What auction_bidding is.',
        aliases: [{ alias: 'bidding', learned: false }],
        agentCount: 0,
      },
      {
        name: 'price_quote',
        category: 'commerce',
        description: 'What price_quote is.',
        aliases: [
          { alias: 'price_100%_sure', learned: false },
          { alias: 'quote', learned: false },
          { alias: 'offer_please', learned: true },
        ],
        agentCount: 2,
      },
      expect.objectContaining({ name: 'translation', agentCount: 1 }),
      {
        name: 'bee_keeping',
        category: null,
        description: null,
        aliases: [{ alias: 'apiary', learned: true }],
        agentCount: 1,
      },
    ]);
  });

  it('are those of the universe: a sandbox sees its own besides, and counts its own agents', async () => {
    const own = await list({ universe: sandbox });
    expect(own.capabilities.map(({ name, agentCount }) => [name, agentCount])).toEqual([
      ['auction_bidding', 0],
      ['price_quote', 1],
      ['translation', 0],
      ['bee_keeping', 0],
      ['wax_melting', 1],
    ]);
    expect(own.capabilities.at(-2)?.aliases.map(({ alias }) => alias)).toEqual(['apiary', 'apiary_here']);
    expect(own.capabilities.at(-1)?.aliases).toEqual([{ alias: 'candle_wax', learned: true }]);
    const other = await list({ universe: otherSandbox });
    expect(JSON.stringify(other)).not.toMatch(/wax|apiary_here/u);
    expect(other.total).toBe(4);
  });

  it.each([
    ['quote', ['price_quote']],
    ['offer_pl', ['price_quote']],
    ['apiary', ['bee_keeping']],
    ['ing', ['auction_bidding', 'translation', 'bee_keeping']],
    ['candle', []],
    // Signs of a pattern stand for themselves.
    ['100%_s', ['price_quote']],
    ['e%e', []],
    ['e_e', []],
    [String.raw`\\\ `, []],
    ["'; DROP TABLE capability; --", []],
  ])('with %j are those whose name or alias contains it', async (text, expected) => {
    expect(await names({ text })).toEqual(expected);
    expect((await list({ text })).total).toBe(expected.length);
  });

  it('of a category are those of the registry', async () => {
    expect(await names({ category: 'commerce' })).toEqual(['auction_bidding', 'price_quote']);
    expect(await names({ category: 'commerce', text: 'bid' })).toEqual(['auction_bidding']);
    expect(await names({ category: 'nothing' })).toEqual([]);
  });

  it('come in pages, each with the number of all', async () => {
    const pages = await Promise.all([0, 3, 6].map((offset) => list({ limit: 3, offset })));
    expect(pages.map(({ total, capabilities }) => [total, capabilities.length])).toEqual([
      [4, 3],
      [4, 1],
      [4, 0],
    ]);
    expect(pages.flatMap(({ capabilities }) => capabilities)).toEqual((await list()).capabilities);
  });

  it('show no more learned aliases than the limit', async () => {
    const many = Array.from({ length: limits.learnedAliasesShownMax + 5 }, (_, n) => confirmed(`also_${n}`, 'bidding'));
    await fixture.untilVisible(await fixture.record(...many));
    const [auction] = (await list({ text: 'auction' })).capabilities;
    expect(auction?.aliases.filter(({ learned }) => learned)).toHaveLength(limits.learnedAliasesShownMax);
    expect(await names({ text: 'also_3' })).toEqual(['auction_bidding']);
  });
});
