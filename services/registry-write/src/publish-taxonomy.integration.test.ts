import { type TaxonomyEvent, taxonomyEvents, taxonomyStream } from '@agent-trust/contracts';
import type { CapabilityDefinition } from '@agent-trust/domain';
import {
  createEventRegistry,
  type EventLog,
  eventLogLimits,
  migratePostgresEventLog,
  openEventLog,
} from '@agent-trust/event-log';
import { loadTaxonomy } from '@agent-trust/taxonomy';
import { createTestDatabase, type TestDatabase } from '@agent-trust/test-kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Published, publishTaxonomy } from './publish-taxonomy.ts';

const registry = createEventRegistry(taxonomyEvents);
let database: TestDatabase;
let log: EventLog;

beforeEach(async () => {
  database = await createTestDatabase();
  await migratePostgresEventLog(database.url);
  log = await openEventLog(database.url);
});
afterEach(async () => {
  await log.close();
  await database.drop();
});

const publish = (seed: readonly CapabilityDefinition[], through: EventLog = log): Promise<Published> =>
  publishTaxonomy({ log: through, now: () => new Date() }, seed);
const published = async (): Promise<TaxonomyEvent[]> =>
  (await log.readStream(taxonomyStream)).map((event) => registry.decodeKnown(event));

describe('publishing the taxonomy', () => {
  it('writes the whole seed, and nothing at the next start', async () => {
    const seed = await loadTaxonomy();
    expect(await publish(seed)).toEqual({ defined: seed.length, retired: 0 });
    expect(await publish(seed)).toEqual({ defined: 0, retired: 0 });
    expect((await published()).map(({ data }) => data.name)).toEqual(seed.map(({ name }) => name));
  });

  it('writes changed definitions, and retires removed ones', async () => {
    const [first, second, third] = await loadTaxonomy();
    if (first === undefined || second === undefined || third === undefined) throw new Error('the seed is too small');
    await publish([first, second]);
    expect(await publish([{ ...first, phrases: ['in other words'] }, third])).toEqual({ defined: 2, retired: 1 });
    expect((await published()).slice(2).map(({ type, data }) => [type, data.name])).toEqual([
      ['CapabilityRetired', second.name],
      ['CapabilityDefined', first.name],
      ['CapabilityDefined', third.name],
    ]);
  });

  // Bug: instances that start together write every definition several times, or fail because of each other.
  // Method: five publish at once, each with a separate log client, into an empty stream.
  it('writes each definition once, however many instances start at once', async () => {
    const seed = await loadTaxonomy();
    const logs = await Promise.all(Array.from({ length: 5 }, () => openEventLog(database.url)));
    const outcomes = await Promise.all(logs.map((each) => publish(seed, each)));
    await Promise.all(logs.map((each) => each.close()));
    expect(outcomes.reduce((sum, { defined }) => sum + defined, 0)).toBe(seed.length);
    const names = (await published()).map(({ data }) => data.name);
    expect(names.toSorted()).toEqual(seed.map(({ name }) => name).toSorted());
  });

  it('keeps each append within the limits of the log, even if every definition has its maximum length', async () => {
    const text = (charsMax: number, fill: string): string => fill.repeat(charsMax);
    const longest = Array.from(
      { length: 250 },
      (_, index): CapabilityDefinition => ({
        name: `${index}${text(46, '語')}`,
        category: text(50, '語'),
        description: text(200, '語'),
        aliases: Array.from({ length: 6 }, (_alias, place) => `${index}_${place}${text(40, '語')}`),
        phrases: Array.from({ length: 4 }, () => text(200, '😀')),
      }),
    );
    const appended: number[] = [];
    const watched: EventLog = {
      ...log,
      readStream: (...call) => log.readStream(...call),
      append: (stream, events, options) => {
        appended.push(Buffer.byteLength(JSON.stringify(events)));
        return log.append(stream, events, options);
      },
    };
    expect(await publish(longest, watched)).toEqual({ defined: 250, retired: 0 });
    expect(appended.length).toBeGreaterThan(1);
    expect(Math.max(...appended)).toBeLessThan(eventLogLimits.appendBytesMax);
  });
});
