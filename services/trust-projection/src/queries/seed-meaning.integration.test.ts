import { production, type Universe } from '@agent-trust/contracts';
import { type CapabilityDefinition, seedMeanings } from '@agent-trust/domain';
import { type EventLog, migratePostgresEventLog, openEventLog } from '@agent-trust/event-log';
import { replayReadModel } from '@agent-trust/projections';
import { loadTaxonomy } from '@agent-trust/taxonomy';
import { createTestDatabase, type TestDatabase } from '@agent-trust/test-kit';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { registryReadModel } from '../projector/read-models/registry-read-model.ts';
import { openReadModelDatabase, type ReadModelDatabase, readModelSchema } from '../shared/database.ts';
import { queryLimits } from '../shared/limits.ts';
import { agentEvent, taxonomyEvent } from '../testing/made-changes.ts';
import { agentRegistered, appendHistory } from '../testing/made-history.ts';
import { type CapabilityResolver, capabilityResolver } from './resolve-capabilities.ts';

/*
 * Bug: registry-write resolves a name of the seed by its replica to something else than trust-projection does, so that it depends on luck what
 * a name means, and a registration is asked or not.
 * Method: the whole seed, and made-up capabilities that share aliases, take each other's names as aliases, or were retired; agents have learned
 * names and aliases that collide with all of it. Every label, and labels near them, by both ways.
 */
const at = '2026-01-01T00:00:00.000Z';
const sandbox: Universe = { kind: 'sandbox', orgId: 'acme' };
const made = (name: string, ...aliases: string[]): CapabilityDefinition => ({
  name,
  category: 'made',
  description: 'Is made up.',
  aliases,
  phrases: ['Make it up', 'Say anything'],
});
const madeUp = [
  made('zz_twin', 'shared_alias', 'zz_other'),
  made('aa_twin', 'shared_alias', 'mm_taken'),
  made('mm_taken', 'zz_twin'),
  made('Ünïcode_ß', '日本語', '__proto__', 'constructor'),
];

let postgres: TestDatabase;
let log: EventLog;
let database: ReadModelDatabase;
let resolve: CapabilityResolver;
let seed: CapabilityDefinition[];

beforeAll(async () => {
  postgres = await createTestDatabase();
  await migratePostgresEventLog(postgres.url);
  log = await openEventLog(postgres.url);
  seed = [...(await loadTaxonomy()), ...madeUp];
  const someLabels = seed.flatMap(({ name, aliases }) => [name, ...aliases]).filter((_, index) => index % 7 === 0);
  const register = (agentId: string, names: string[], universe: Universe) =>
    agentRegistered(
      { agentId, universe, configuration: { capabilities: names.map((name) => ({ name, weight: 1 })) } },
      at,
    );
  const confirm = (submitted: string, candidate: string, universe: Universe) =>
    agentEvent('CapabilityConfirmationAnswered', {
      agentId: 'bot',
      universe,
      submitted,
      candidate,
      accepted: true,
      answeredAt: at,
    });
  await appendHistory(log, [
    taxonomyEvent('CapabilityDefined', { ...made('gone', 'gone_alias'), definedAt: at }),
    register('early', ['gone', 'gone_alias', 'quote'], production),
    ...someLabels.map((label) => confirm(label, 'bee_keeping', sandbox)),
    register('bot', ['bee_keeping', ...someLabels.slice(0, 50)], production),
    register('draft', someLabels.slice(50, 100), sandbox),
    taxonomyEvent('CapabilityRetired', { name: 'gone', retiredAt: at }),
    ...seed.map((definition) => taxonomyEvent('CapabilityDefined', { ...definition, definedAt: at })),
  ]);
  await replayReadModel({
    connection: { connectionString: postgres.url },
    schema: readModelSchema,
    log,
    readModel: await registryReadModel(),
  });
  database = openReadModelDatabase(postgres.url);
  resolve = capabilityResolver(database, queryLimits.closeNamesOfWrites);
});
afterAll(async () => {
  await database.close();
  await log.close();
  await postgres.drop();
});

it('what the seed says of a name is what trust-projection says of it, in every universe', async () => {
  const meanings = seedMeanings(seed);
  const labels = [...meanings.keys()];
  const near = fc.sample(
    fc
      .tuple(fc.constantFrom(...labels), fc.nat(60), fc.constantFrom('', '_', 'x', '1'))
      .map(([label, cut, put]) => label.slice(0, cut) + put + label.slice(cut + 1)),
    { numRuns: 150, seed: 20_260_101 },
  );
  const names = [...new Set([...labels, ...near, 'gone', 'gone_alias', 'bee_keeping', 'dowsing', 'toString'])];
  for (const universe of [production, sandbox]) {
    const resolutions = await resolve(universe, names);
    expect(resolutions).toHaveLength(names.length);
    const bySeed = resolutions.filter(({ name }) => meanings.has(name));
    expect(bySeed).toEqual(
      bySeed.map(({ name }) => {
        const meaning = meanings.get(name);
        return { name, outcome: meaning?.how, canonical: meaning?.canonical };
      }),
    );
    expect(bySeed.length).toBeGreaterThan(1_500);
  }
});
