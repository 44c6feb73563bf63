import { waitFor } from '@agent-trust/test-kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DescribedCapability } from '../projector/read-models/capability-taxonomy/queries.ts';
import { type EmbeddingServer, standInModel, startEmbeddingServer } from '../testing/embedding-server.ts';
import type { EmbeddingLimits } from './limits.ts';
import { type NearestByMeaning, nearestByMeaning } from './nearest-by-meaning.ts';
import { openAiCompatible } from './openai-compatible.ts';

let server: EmbeddingServer;
let taxonomy: DescribedCapability[];
let said: string[];
let nearest: NearestByMeaning;

const start = (limits: Partial<EmbeddingLimits> = {}): void => {
  nearest = nearestByMeaning({
    provider: openAiCompatible({ url: server.url, model: standInModel, apiKey: server.apiKey }),
    load: async () => taxonomy,
    logger: {
      info: (...line: unknown[]) => void said.push(`info ${String(line.at(-1))}`),
      warn: (...line: unknown[]) => void said.push(`warn ${String(line.at(-1))}`),
    },
    limits: { refreshMs: 20, retryBackoff: { firstMs: 5, longestMs: 20 }, questionTimeoutMs: 200, ...limits },
  });
};
const filled = (count: number): Promise<unknown> => waitFor(() => nearest.size() === count);
const names = async (name: string): Promise<string[]> => (await nearest.ask(name)).map((candidate) => candidate.name);

beforeEach(async () => {
  server = await startEmbeddingServer();
  said = [];
  taxonomy = [
    { name: 'car_maintenance', text: 'car maintenance: Helps with repair of a vehicle' },
    { name: 'image_generation', text: 'image generation: Makes a picture' },
    { name: 'knitting', text: 'knitting: wool' },
    { name: 'price_quote', text: 'price quote: Gives a cost' },
  ];
});
afterEach(async () => {
  await nearest.stop();
  await server.close();
});

describe('nearness of meaning', () => {
  it('finds a synonym that shares no word with a name', async () => {
    start();
    await filled(4);
    await waitFor(() => said.length > 0);
    const [first, ...others] = await nearest.ask('mend_my_jalopy');
    expect(first?.name).toBe('car_maintenance');
    expect(first?.similarity).toBeGreaterThan(0.5);
    expect(others.every(({ similarity }) => similarity < (first?.similarity ?? 0))).toBe(true);
    expect(said).toEqual(['info the embedding model answers']);
  });

  it('sends a name to the model once while its vector is kept', async () => {
    start({ namesRememberedMax: 2, refreshMs: 60_000 });
    await filled(4);
    await waitFor(() => said.length > 0);
    const requests = server.requests;
    const first = await nearest.ask('mend_my_jalopy');
    expect(await nearest.ask('mend_my_jalopy')).toEqual(first);
    await nearest.ask('portrait');
    await nearest.ask('mend_my_jalopy');
    expect(server.requests).toBe(requests + 2);
    await nearest.ask('yarn');
    await nearest.ask('mend_my_jalopy');
    expect(server.requests).toBe(requests + 3);
    await nearest.ask('portrait');
    expect(server.requests).toBe(requests + 4);
  });

  it('sends each capability once, in batches, and again only after a change', async () => {
    start({ textsPerRequestMax: 3 });
    await filled(4);
    expect(server.answered.map((texts) => texts.length)).toEqual([3, 1]);
    taxonomy = [
      { name: 'knitting', text: 'knitting: a portrait' },
      ...taxonomy.filter(({ name }) => name !== 'price_quote' && name !== 'knitting'),
    ];
    await filled(3);
    await waitFor(() => server.answered.length === 3);
    expect(server.answered[2]).toEqual(['knitting: a portrait']);
    expect(await names('painting')).toContain('knitting');
  });

  it('keeps a limited number of vectors', async () => {
    start({ capabilitiesMax: 2 });
    await filled(2);
    expect(await names('price')).not.toContain('price_quote');
  });

  it('proposes a limited number of names', async () => {
    start({ candidatesMax: 1 });
    await filled(4);
    await waitFor(() => said.length > 0);
    expect(await nearest.ask('price_of_a_car')).toHaveLength(1);
  });

  // Bug: an unreachable model delays every query, or fills the log.
  it('continues without a failing model, after one slow query and one log line, and uses it again after its recovery', async () => {
    start({ questionTimeoutMs: 50, refreshMs: 60_000, retryBackoff: { firstMs: 50, longestMs: 100 } });
    await filled(4);
    await waitFor(() => said.length > 0);
    server.fault = 'silent';
    expect(await nearest.ask('mend_my_jalopy')).toEqual([]);
    const requests = server.requests;
    for (let question = 0; question < 20; question += 1) expect(await nearest.ask('mend_my_jalopy')).toEqual([]);
    expect(server.requests).toBe(requests);
    server.fault = 'error_500';
    await waitFor(() => server.requests > requests);
    server.fault = 'none';
    await waitFor(async () => (await names('mend_my_jalopy'))[0] === 'car_maintenance');
    expect(said).toEqual([
      'info the embedding model answers',
      'warn the embedding model does not answer; names are resolved without it',
      'info the embedding model answers',
    ]);
  });

  it('is available as soon as a model that was unreachable at the start has recovered', async () => {
    server.fault = 'rate_limited';
    start();
    await waitFor(() => server.requests > 3);
    expect(await nearest.ask('mend_my_jalopy')).toEqual([]);
    server.fault = 'none';
    await filled(4);
  });

  it.each(['no_direction', 'wrong_shape'] as const)('takes no vectors from an invalid answer: %s', async (fault) => {
    server.fault = fault;
    start();
    await waitFor(() => server.requests > 3);
    expect(nearest.size()).toBe(0);
    expect(said).toEqual(['warn the embedding model does not answer; names are resolved without it']);
  });

  // Bug: vectors of two models are compared because an operator has changed the model behind the address.
  it('starts again if vectors have another length', async () => {
    start({ refreshMs: 60_000 });
    await filled(4);
    await waitFor(() => said.length > 0);
    server.dimensions = 12;
    expect(await nearest.ask('mend_my_jalopy')).toEqual([]);
    await waitFor(async () => (await names('mend_my_jalopy'))[0] === 'car_maintenance');
    expect(nearest.size()).toBe(4);
  });

  it('stops while a request is under way', async () => {
    server.fault = 'silent';
    start();
    await waitFor(() => server.requests === 1);
    await nearest.stop();
    expect(said).toEqual([]);
  });
});
