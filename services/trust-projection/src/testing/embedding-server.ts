import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The server's behaviour for the next requests. */
export type EmbeddingFault =
  | 'none'
  | 'error_500'
  | 'rate_limited'
  | 'redirect'
  | 'silent'
  | 'not_json'
  | 'wrong_shape'
  | 'one_too_few'
  | 'index_twice'
  | 'mixed_lengths'
  | 'no_direction'
  | 'endless';

export type EmbeddingServer = {
  /** Base address, with a path as real ones have. */
  url: string;
  apiKey: string;
  fault: EmbeddingFault;
  /** Numbers in a vector. */
  dimensions: number;
  /** The texts of each request that was answered with vectors. */
  answered: string[][];
  /** All requests that arrived, whatever their answer. */
  requests: number;
  close(): Promise<void>;
};

const model = 'stand-in';

/** Words of one meaning have one direction, which is all that a test needs of a model. */
const meanings: readonly (readonly string[])[] = [
  ['car', 'vehicle', 'automobile', 'jalopy'],
  ['maintenance', 'repair', 'mend', 'garage'],
  ['price', 'quote', 'cost', 'tariff'],
  ['picture', 'image', 'painting', 'portrait'],
  ['generation', 'makes', 'produce'],
];

const vectorOf = (text: string, dimensions: number): number[] => {
  // Texts of a language are always somewhat similar: without a common part the cosines would be cleaner than real ones.
  const vector = Array.from({ length: dimensions }, (_, index): number => (index === dimensions - 1 ? 1 : 0));
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    const meaning = meanings.findIndex((words) => words.includes(word));
    if (meaning >= 0) vector[meaning] = (vector[meaning] ?? 0) + 1;
  }
  return vector;
};

/**
 * A local server that answers `POST /v1/embeddings` as OpenAI's API reference describes it: bearer key, `model` and `input`, a list of
 * `{object, index, embedding}` and `usage`; errors are `{error: {message, type}}`. It writes the list in reverse, because only `index` counts.
 */
export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const apiKey = `sk-stand-in-${crypto.randomUUID()}`;
  const state = { fault: 'none' as EmbeddingFault, dimensions: 8, answered: [] as string[][], requests: 0 };
  const server = createServer((request, response) => {
    state.requests += 1;
    const answer = (status: number, body: unknown, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
    const refuse = (status: number, message: string): void => answer(status, { error: { message, type: 'error' } });
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method !== 'POST' || request.url !== '/v1/embeddings') return refuse(404, 'no such route');
      if (request.headers.authorization !== `Bearer ${apiKey}`) return refuse(401, 'Incorrect API key provided');
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { model?: unknown; input?: unknown };
      if (body.model !== model || !Array.isArray(body.input)) return refuse(400, 'model and input are required');
      const texts = body.input.map(String);
      const data = texts.map((text, index) => ({
        object: 'embedding',
        index,
        embedding: vectorOf(text, state.dimensions),
      }));
      const [first] = data;
      switch (state.fault) {
        case 'error_500':
          return refuse(500, `failed on ${texts.join(' ')}`);
        case 'rate_limited':
          return refuse(429, 'Rate limit reached');
        case 'redirect':
          return answer(307, '', { location: 'http://127.0.0.1:1/v1/embeddings' });
        case 'silent':
          return undefined;
        case 'not_json':
          return answer(200, '<html>');
        case 'wrong_shape':
          return answer(200, { data: texts });
        case 'one_too_few':
          data.pop();
          break;
        case 'index_twice':
          if (first !== undefined) data.push({ ...first });
          break;
        case 'mixed_lengths':
          if (first !== undefined) first.embedding = [1];
          break;
        case 'no_direction':
          for (const item of data) item.embedding.fill(0);
          break;
        case 'endless': {
          response.writeHead(200, { 'content-type': 'application/json' });
          const more = (): void => {
            while (!response.destroyed && response.write(' '.repeat(65_536)));
          };
          response.on('drain', more);
          return more();
        }
        default:
          state.answered.push(texts);
      }
      answer(200, { object: 'list', data: data.toReversed(), model, usage: { prompt_tokens: 1, total_tokens: 1 } });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    apiKey,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

export const standInModel = model;
