import {
  capabilityAliasStream,
  type CapabilityDefined,
  type CapabilityResolution,
  production,
  type Universe,
} from '@agent-trust/contracts';
import { type EventLog, migratePostgresEventLog, openEventLog } from '@agent-trust/event-log';
import { replayReadModel } from '@agent-trust/projections';
import { createLogger } from '@agent-trust/service-kit';
import { createTestDatabase, type TestDatabase, waitFor } from '@agent-trust/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddings } from '../embeddings/start-embeddings.ts';
import { queryLimits } from '../shared/limits.ts';
import { describedCapabilities } from '../projector/read-models/capability-taxonomy/queries.ts';
import { registryReadModel } from '../projector/read-models/registry-read-model.ts';
import { openReadModelDatabase, type ReadModelDatabase, readModelSchema, type Statement } from '../shared/database.ts';
import { standInModel, startEmbeddingServer } from '../testing/embedding-server.ts';
import { agentEvent, taxonomyEvent } from '../testing/made-changes.ts';
import { agentRegistered, appendHistory, type MadeEvent } from '../testing/made-history.ts';
import { createRegistryQueries } from './registry-queries.ts';
import { type CapabilityResolver, capabilityResolver, resolveCapabilities } from './resolve-capabilities.ts';

let postgres: TestDatabase;
let log: EventLog;
let database: ReadModelDatabase;
let resolve: CapabilityResolver;

const at = '2026-01-01T00:00:00.000Z';
const sandbox: Universe = { kind: 'sandbox', orgId: 'acme' };
const otherSandbox: Universe = { kind: 'sandbox', orgId: 'other' };

const define = (fields: Partial<CapabilityDefined['data']>): MadeEvent =>
  taxonomyEvent('CapabilityDefined', {
    name: 'price_quote',
    category: 'commerce',
    description: 'Gives a price for goods that somebody asks for.',
    aliases: ['quote', 'quotation'],
    phrases: ['What would 500 of these cost?', 'How much is it to paint a house?'],
    definedAt: at,
    ...fields,
  });
const register = (agentId: string, names: string[], universe: Universe = production): MadeEvent =>
  agentRegistered(
    { agentId, universe, configuration: { capabilities: names.map((name) => ({ name, weight: 1 })) } },
    at,
  );
/** For everybody in the universe: by the operator in production, by an agent in its own sandbox. */
const confirm = (submitted: string, candidate: string, universe: Universe): MadeEvent =>
  universe.kind === 'production' ? byOperator(submitted, candidate) : answered(submitted, candidate, universe);
const byOperator = (alias: string, name: string): MadeEvent => ({
  stream: capabilityAliasStream(alias),
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

const replay = async (): Promise<void> => {
  const connection = { connectionString: postgres.url };
  const readModel = await registryReadModel();
  await replayReadModel({ connection, schema: readModelSchema, log, readModel, acceptDifferences: true });
};
const one = async (name: string, universe: Universe = production): Promise<CapabilityResolution> => {
  const [resolution] = await resolve(universe, [name]);
  if (resolution === undefined) throw new Error(`no resolution for ${name}`);
  return resolution;
};
const candidatesOf = (resolution: CapabilityResolution): string[] =>
  'candidates' in resolution ? resolution.candidates.map(({ name }) => name) : [];

beforeAll(async () => {
  postgres = await createTestDatabase();
  await migratePostgresEventLog(postgres.url);
  log = await openEventLog(postgres.url);
  database = openReadModelDatabase(postgres.url);
  resolve = capabilityResolver(database, queryLimits.closeNamesOfWrites);
  await replay();
});
afterAll(async () => {
  await database.close();
  await log.close();
  await postgres.drop();
});

it('resolves every name as unknown while the taxonomy is empty', async () => {
  expect(await one('price_quote')).toEqual({ name: 'price_quote', outcome: 'unknown' });
});

describe('resolving', () => {
  beforeAll(async () => {
    await appendHistory(log, [
      define({}),
      define({
        name: 'freight_quote',
        category: 'logistics',
        description: 'Calculates what it costs to ship freight.',
        aliases: ['shipping_quote', 'freight_rates'],
        phrases: ['What does a container to Hamburg cost?', 'Rates for sea cargo'],
      }),
      define({
        name: 'image_generation',
        category: 'media',
        description: 'Makes pictures from descriptions.',
        aliases: ['text_to_image', 'ai_art'],
        phrases: ['Paint a castle in the fog', 'Draw a robot in the kitchen'],
      }),
      register('bot', ['bee_keeping', 'quote', 'model_17_repair']),
      register('draft', ['wax_melting'], sandbox),
      confirm('apiary', 'bee_keeping', production),
      confirm('candle_wax', 'wax_melting', sandbox),
      confirm('pictures_please', 'image_generation', sandbox),
      confirm('lost_meaning', 'never_defined', production),
    ]);
    await replay();
  });

  it('returns the results in the order of the names, with repetitions', async () => {
    expect(await resolve(production, ['quotation', 'price_quote', 'quotation'])).toEqual([
      { name: 'quotation', outcome: 'alias', canonical: 'price_quote' },
      { name: 'price_quote', outcome: 'exact', canonical: 'price_quote' },
      { name: 'quotation', outcome: 'alias', canonical: 'price_quote' },
    ]);
    expect(await resolve(production, [])).toEqual([]);
  });

  it("prefers the seed to agents' names: an alias stays one although an agent has it as its name", async () => {
    expect(await one('quote')).toEqual({ name: 'quote', outcome: 'alias', canonical: 'price_quote' });
  });

  it("uses production's names everywhere, and a sandbox's names only there", async () => {
    for (const universe of [production, sandbox, otherSandbox]) {
      expect(await one('bee_keeping', universe)).toMatchObject({ outcome: 'exact' });
      expect(await one('apiary', universe)).toMatchObject({ outcome: 'alias', canonical: 'bee_keeping' });
    }
    expect(await one('wax_melting', sandbox)).toMatchObject({ outcome: 'exact' });
    expect(await one('candle_wax', sandbox)).toMatchObject({ outcome: 'alias', canonical: 'wax_melting' });
    for (const universe of [production, otherSandbox]) {
      for (const name of ['wax_melting', 'candle_wax', 'melting_wax']) {
        expect(await one(name, universe)).toEqual({ name, outcome: 'unknown' });
      }
      expect((await one('pictures_please', universe)).outcome).not.toBe('alias');
    }
    expect(candidatesOf(await one('melting_wax', sandbox))).toEqual(['wax_melting']);
  });

  // Bug: an alias that its users rely on changes its meaning once an agent has the name itself, after publishing or from an admin.
  it('keeps the meaning of an alias if an agent has the name itself, and match finds that agent too', async () => {
    await appendHistory(log, [
      register('sandbox-drafter', ['hive_care'], sandbox),
      confirm('hive_care', 'bee_keeping', production),
      confirm('hive_help', 'bee_keeping', production),
    ]);
    await appendHistory(log, [
      agentEvent('AgentPublished', { agentId: 'sandbox-drafter', orgId: 'acme', publishedAt: at }),
      register('by-admin', ['hive_help']),
    ]);
    await replay();
    for (const name of ['hive_care', 'hive_help']) {
      for (const universe of [production, otherSandbox]) {
        expect(await one(name, universe)).toEqual({ name, outcome: 'alias', canonical: 'bee_keeping' });
      }
      const searched = await resolveCapabilities(resolve, production, [name]);
      expect(searched.map(({ canonical }) => canonical)).toEqual([name, 'bee_keeping']);
    }
    // If it was a name before it was an alias anywhere, it stays a name.
    expect(await one('hive_care', sandbox)).toMatchObject({ outcome: 'exact' });
    expect(candidatesOf(await one('helping_hive'))).not.toContain('hive_help');
    expect(candidatesOf(await one('helping_hive'))).toContain('bee_keeping');
  });

  it('drops an alias of a name that is not a capability', async () => {
    expect((await one('lost_meaning')).outcome).toBe('unknown');
  });

  it.each([
    ['another form', 'generating_images', 'image_generation'],
    ['another order', 'quote_of_price', 'price_quote'],
    ['a slip of the pen', 'imgae_generation', 'image_generation'],
    ['an agent that does it', 'image_generator', 'image_generation'],
    ['the words of a phrase', 'castle_in_the_fog', 'image_generation'],
    ['a form of a learned name', 'keeping_bees', 'bee_keeping'],
    ['a slip in a learned name', 'bee_keping', 'bee_keeping'],
  ])('finds a capability by %s', async (_case, name, canonical) => {
    expect(candidatesOf(await one(name))[0]).toBe(canonical);
  });

  it('returns several candidates for an ambiguous name, the best first, with comparable similarities of four decimals', async () => {
    const resolution = await one('quotes_for_containers');
    expect(resolution.outcome).toBe('ambiguous');
    expect(new Set(candidatesOf(resolution))).toEqual(new Set(['price_quote', 'freight_quote']));
    if (resolution.outcome !== 'ambiguous') throw new Error('unreachable');
    for (const { similarity } of resolution.candidates) {
      expect(similarity).toBeGreaterThan(0);
      expect(similarity).toBeLessThanOrEqual(1);
      expect(Number(similarity.toFixed(4))).toBe(similarity);
    }
  });

  it.each([
    'knitting',
    'qwertzuiop',
    'the',
    '___',
    '+++',
    '42',
    '日本語',
    '🦊'.repeat(50),
    'o\'brien\'s \\ "x" & (y | !z) :*',
    'a:b',
    'c++',
  ])('resolves %s as unknown', async (name) => {
    expect(await one(name)).toEqual({ name, outcome: 'unknown' });
  });

  // Bug: every agent with numbered names gets the question whether it means its neighbour.
  it('distinguishes names that differ in a number', async () => {
    expect(await one('model_17_repair')).toMatchObject({ outcome: 'exact' });
    expect(await one('model_18_repair')).toEqual({ name: 'model_18_repair', outcome: 'unknown' });
    expect(candidatesOf(await one('repair_of_model_17'))).toEqual(['model_17_repair']);
  });
});

describe('many concurrent queries', () => {
  /** The database, but names that start with `held` are ranked only when the test lets them. */
  const holding = () => {
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    const ranked: string[] = [];
    const held: ReadModelDatabase = {
      ...database,
      query: async <Row extends object>(query: Statement): Promise<Row[]> => {
        const words = query.text.includes('learned_capabilities_like') ? String(query.values[1]) : '';
        if (words !== '') ranked.push(words);
        if (words.startsWith('held')) await released;
        return database.query<Row>(query);
      },
    };
    return { held, release, ranked };
  };
  const filters = {
    settlementRail: null,
    orgName: null,
    messageProtocol: null,
    live: false,
    limit: 5,
    offset: 0,
    client: 'one',
  };

  // Bug: an anonymous caller who searches for unknown names delays registrations and updates.
  it('for searches delay neither those for registrations nor remain in the queue once their callers have left', async () => {
    const { held, release, ranked } = holding();
    const queries = createRegistryQueries(held);
    const search = (name: string, signal?: AbortSignal) =>
      queries.match({ universe: production, requiredCapabilities: [name], ...filters }, signal);
    const running = ['held_one', 'held_two'].map((name) => search(name));
    await waitFor(() => ranked.length === queryLimits.closeNamesOfSearches.atOnceMax);
    const asker = new AbortController();
    const givenUp = search('held_three', asker.signal);
    const [resolution] = await queries.resolveCapabilities(production, ['imgae_generation']);
    expect(resolution).toMatchObject({ candidates: [{ name: 'image_generation' }] });
    asker.abort();
    await expect(givenUp).rejects.toMatchObject({ code: 'overloaded' });
    release(undefined);
    await Promise.all(running);
    await search('held_four');
    expect(ranked).toEqual(['held one', 'held two', 'imgae generation', 'held four']);
  });

  // Bug: a client that asks for hundreds of unknown names has every other client wait for all of them.
  it('of one client let others have every other turn, and refuse what is beyond its share', async () => {
    const { held, release, ranked } = holding();
    const queries = createRegistryQueries(held);
    const { atOnceMax, waitingOfClientMax } = queryLimits.closeNamesOfSearches;
    const search = (client: string, ...requiredCapabilities: string[]) =>
      queries.match({ universe: production, requiredCapabilities, ...filters, client });
    const names = (count: number, of: string) => Array.from({ length: count }, (_, at) => `${of}_${at}_xyzzy`);
    const running = names(atOnceMax, 'held').map((name) => search('flood', name));
    await waitFor(() => ranked.length === atOnceMax);
    const refusals: unknown[] = [];
    const flood = names(waitingOfClientMax + 10, 'flood').map((name) =>
      search('flood', name).catch((error: unknown) => refusals.push(error)),
    );
    await waitFor(() => refusals.length === 10);
    const other = search('other', 'other_1_xyzzy', 'other_2_xyzzy');
    // Known names take no turn; what was looked up before them waits by now.
    for (const name of ['price_quote', 'freight_quote']) await search('other', name);
    release(undefined);
    await Promise.all([...running, ...flood, other]);
    expect(refusals).toEqual(refusals.map(() => expect.objectContaining({ code: 'overloaded' })));
    expect(refusals).toHaveLength(10);
    const places = ranked.flatMap((name, place) => (name.startsWith('other') ? [place] : []));
    expect(Math.max(...places)).toBeLessThan(atOnceMax + 6);
  });

  it('are answered from memory while readers see the same state, unknown ones too', async () => {
    const { held, ranked } = holding();
    let state = 'first';
    const queries = createRegistryQueries(held, undefined, undefined, () => state);
    const search = (...requiredCapabilities: string[]) =>
      queries.match({ universe: production, requiredCapabilities, ...filters });
    await search('imgae_generation', 'nothing_like_it_qqq');
    await search('nothing_like_it_qqq', 'imgae_generation');
    expect(ranked).toHaveLength(2);
    state = 'second';
    await search('nothing_like_it_qqq');
    expect(ranked).toHaveLength(3);
  });

  it('wait for an embedding model without keeping others from the database', async () => {
    const { promise: answer, resolve: answerNow } = Promise.withResolvers<[]>();
    const asked: string[] = [];
    const resolveSlowly = capabilityResolver(database, { atOnceMax: 1, waitingMax: 10 }, async (name) => {
      asked.push(name);
      return name.startsWith('slow') ? answer : [];
    });
    const slow = resolveSlowly(production, ['slow_one', 'slow_two']);
    await waitFor(() => asked.length === 2);
    expect(await resolveSlowly(production, ['imgae_generation'])).toEqual([await one('imgae_generation')]);
    answerNow([]);
    expect((await slow).map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown']);
  });
});

describe('with an embedding model', () => {
  // The model's own similarity, for names that share no word and hardly a letter with any capability.
  it('offers capabilities of a similar meaning, never as clear by the model alone, and works without an unreachable model', async () => {
    const server = await startEmbeddingServer();
    const embeddings = startEmbeddings({
      url: server.url,
      model: standInModel,
      apiKey: server.apiKey,
      loadCapabilities: (countMax) => describedCapabilities(database, countMax),
      logger: createLogger({ service: 'trust-projection', instanceId: 'test', level: 'silent' }),
    });
    if (embeddings === null) throw new Error('the model is set');
    const resolveWithModel = capabilityResolver(database, queryLimits.closeNamesOfSearches, embeddings.ask);
    const withModel = async (name: string): Promise<CapabilityResolution | undefined> =>
      (await resolveWithModel(production, [name]))[0];
    try {
      expect(await one('portrait')).toEqual({ name: 'portrait', outcome: 'unknown' });
      await waitFor(async () => (await withModel('portrait'))?.outcome === 'ambiguous');
      expect(candidatesOf((await withModel('portrait')) ?? (await one('portrait')))[0]).toBe('image_generation');
      expect(await withModel('quotation')).toEqual(await one('quotation'));
      const requests = server.requests;
      expect(await withModel('price_quote')).toMatchObject({ outcome: 'exact' });
      expect(server.requests).toBe(requests);
      server.fault = 'error_500';
      // The first query detects the failure; after that even a kept name is not taken from memory.
      for (const name of ['quotes_for_containers', 'portrait']) expect(await withModel(name)).toEqual(await one(name));
    } finally {
      await embeddings.stop();
      await server.close();
    }
  });
});
