import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type EmbeddingFault,
  type EmbeddingServer,
  standInModel,
  startEmbeddingServer,
} from '../testing/embedding-server.ts';
import {
  EmbeddingError,
  type EmbeddingProvider,
  openAiCompatible,
  type OpenAiCompatibleOptions,
} from './openai-compatible.ts';

let server: EmbeddingServer;
beforeEach(async () => {
  server = await startEmbeddingServer();
});
afterEach(() => server.close());

const provider = (options: Partial<OpenAiCompatibleOptions> = {}): EmbeddingProvider =>
  openAiCompatible({ url: server.url, model: standInModel, apiKey: server.apiKey, ...options });
const failure = async (asked: Promise<unknown>): Promise<EmbeddingError> => {
  const error: unknown = await asked.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(EmbeddingError);
  return error as EmbeddingError;
};

describe('an OpenAI-compatible model', () => {
  it('returns one vector for each text in the order of the texts, although the answer has another order', async () => {
    const [car, price, jalopy] = await provider().embed(['a car', 'the price', 'a jalopy'], { timeoutMs: 5_000 });
    expect(car).toEqual(jalopy);
    expect(car).not.toEqual(price);
    expect(server.answered).toEqual([['a car', 'the price', 'a jalopy']]);
  });

  it('is found with a slash at the end of its address, too', async () => {
    expect(await provider({ url: `${server.url}/` }).embed(['a car'], { timeoutMs: 5_000 })).toHaveLength(1);
  });

  it.each([
    ['error_500', /answered 500$/],
    ['rate_limited', /answered 429$/],
    ['redirect', /gave no answer/],
    ['not_json', /gave no answer/],
    ['wrong_shape', /documented shape/],
    ['one_too_few', /1 vectors for 2 texts/],
    ['index_twice', /3 vectors for 2 texts/],
    ['mixed_lengths', /different lengths/],
  ] satisfies [EmbeddingFault, RegExp][])('fails with the same kind of error: %s', async (fault, message) => {
    server.fault = fault;
    expect((await failure(provider().embed(['a car', 'a price'], { timeoutMs: 5_000 }))).message).toMatch(message);
  });

  it('reports only the status of a refusal: neither the key nor the texts', async () => {
    const wrongKey = await failure(provider({ apiKey: 'sk-wrong' }).embed(['a secret wish'], { timeoutMs: 5_000 }));
    expect(wrongKey.message).toBe('the embedding model answered 401');
    server.fault = 'error_500';
    const failed = await failure(provider().embed(['a secret wish'], { timeoutMs: 5_000 }));
    expect(`${failed.message} ${failed.stack}`).not.toMatch(/sk-|wish/);
  });

  it('is given up after its timeout, or when no query waits any more', async () => {
    server.fault = 'silent';
    expect((await failure(provider().embed(['a car'], { timeoutMs: 50 }))).message).toMatch(/within 50 ms/);
    const stopping = AbortSignal.abort();
    await failure(provider().embed(['a car'], { timeoutMs: 5_000, signal: stopping }));
  });

  it('has a limit for the size of its answer', async () => {
    server.fault = 'endless';
    const error = await failure(provider({ answerBytesMax: 100_000 }).embed(['a car'], { timeoutMs: 5_000 }));
    expect(error.message).toMatch(/more than 100000 bytes/);
  });

  it('may be unreachable', async () => {
    await server.close();
    const error = await failure(provider().embed(['a car'], { timeoutMs: 5_000 }));
    expect(error.message).toMatch(/gave no answer: .*ECONNREFUSED/);
  });
});
