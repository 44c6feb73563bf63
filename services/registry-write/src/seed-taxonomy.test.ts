import { type TaxonomyEvent, taxonomyStream } from '@agent-trust/contracts';
import type { EventLog, RecordedEvent } from '@agent-trust/event-log';
import { createLogger } from '@agent-trust/service-kit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { followSeedTaxonomy, type SeedTaxonomy } from './seed-taxonomy.ts';

const logger = createLogger({ service: 'registry-write', instanceId: 'test', level: 'silent' });
const at = '2026-01-01T00:00:00.000Z';
const defined = (name: string, ...aliases: string[]): TaxonomyEvent => ({
  type: 'CapabilityDefined',
  data: { name, category: 'c', description: 'd', aliases, phrases: [], definedAt: at },
});
const retired = (name: string): TaxonomyEvent => ({ type: 'CapabilityRetired', data: { name, retiredAt: at } });

let written: TaxonomyEvent[];
let readStream: EventLog['readStream'];
let now: number;
let stopping: AbortController;
beforeEach(() => {
  vi.useFakeTimers();
  written = [defined('price_quote', 'quote'), defined('translation', 'mt')];
  now = 0;
  stopping = new AbortController();
  readStream = async (stream, options) => {
    if (stream !== taxonomyStream) throw new Error(`reads ${stream}`);
    const from = options?.fromRevision ?? 0n;
    return written
      .map((event, index) => ({ ...event, metadata: {}, revision: BigInt(index) }) as unknown as RecordedEvent)
      .filter(({ revision }) => revision >= from);
  };
});
afterEach(() => {
  stopping.abort();
  vi.useRealTimers();
});

const follow = (): SeedTaxonomy =>
  followSeedTaxonomy(
    { readStream: (...args) => readStream(...args) },
    { logger, stopping: stopping.signal, now: () => now },
  );
const pass = async (ms: number): Promise<void> => {
  now += ms;
  await vi.advanceTimersByTimeAsync(ms);
};

it('resolves names and aliases of the seed once it has read them, and nothing else', async () => {
  const seed = follow();
  expect(seed.resolve('quote')).toBeNull();
  await pass(0);
  expect(seed.resolve('quote')).toEqual({ name: 'quote', outcome: 'alias', canonical: 'price_quote' });
  expect(seed.resolve('price_quote')).toEqual({ name: 'price_quote', outcome: 'exact', canonical: 'price_quote' });
  for (const other of ['qoute', 'dowsing', '', 'constructor', '__proto__']) expect(seed.resolve(other)).toBeNull();
});

it('follows what another version of the registry publishes', async () => {
  const seed = follow();
  await pass(0);
  written.push(retired('price_quote'), defined('freight_quote', 'quote'), defined('translation'));
  await pass(2_000);
  expect(seed.resolve('quote')).toMatchObject({ canonical: 'freight_quote' });
  expect([seed.resolve('price_quote'), seed.resolve('mt')]).toEqual([null, null]);
});

it('says nothing more after a while without the log, as after a pause of the process, until it is read again', async () => {
  const seed = follow();
  await pass(0);
  const read = readStream;
  readStream = () => Promise.reject(new Error('no log'));
  await pass(5_000);
  expect(seed.resolve('quote')).not.toBeNull();
  await pass(1);
  expect(seed.resolve('quote')).toBeNull();
  readStream = read;
  await pass(2_000);
  expect(seed.resolve('quote')).not.toBeNull();
  now += 60_000;
  expect(seed.resolve('quote')).toBeNull();
});
