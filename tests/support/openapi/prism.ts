import {
  createInstance,
  getHttpOperationsFromSpec,
  type IHttpRequest,
  type IHttpResponse,
} from '@stoplight/prism-http';
import { type Exchange, headerOf, jsonOf, textOf } from './exchange.ts';

/** Prism's message for a request that matches no operation of the document. */
export const noOperation = 'Selected route not found';

type Instance = Parameters<typeof createInstance>;
type Forward = NonNullable<Instance[1]['forward']>;
type Diagnostic = { path?: string[]; message: string };

const silence = (): void => undefined;
/** Violations are returned, not logged. */
const logger: Record<string, unknown> = Object.fromEntries(
  ['trace', 'debug', 'info', 'success', 'warn', 'error', 'fatal'].map((level) => [level, silence]),
);
logger['child'] = () => logger;
export const silentLogger = logger as unknown as Instance[1]['logger'];

/** The answer as Prism's own forwarder would read it. A body without a type counts as bytes (RFC 9110 §8.3); Prism would match nothing. */
const answerOf = (exchange: Exchange): IHttpResponse => {
  const headers: Record<string, string> = { 'content-type': 'application/octet-stream' };
  for (const [name, value] of exchange.headers) {
    const key = name.toLowerCase();
    headers[key] = headerOf(exchange, key) ?? value;
  }
  const json = exchange.status === 204 ? undefined : jsonOf(exchange);
  const body = json === undefined ? textOf(exchange) : json;
  return { statusCode: exchange.status, headers, body };
};

/**
 * Prism as a validating proxy for an OpenAPI document, checking answers but not requests, as `prism proxy --errors=false` does; returns the
 * violations of each exchange. The exchange has happened already. Prism's own forwarder is left out because it changes what passes: it
 * rewrites JSON (broken JSON becomes Prism's 400, a text loses its quotes, signed bytes lose their signature), normalises paths, follows
 * redirects, buffers streams, turns binary bodies into text, fails on HEAD, and replaces a server's 501.
 */
export async function prismProxyOf(document: object): Promise<(exchange: Exchange) => Promise<string[]>> {
  // Dereferencing modifies its argument.
  const operations = await getHttpOperationsFromSpec(structuredClone(document));
  const answered = new WeakMap<IHttpRequest, IHttpResponse>();
  const forward = (({ data }: { data: IHttpRequest }) =>
    () =>
    async () => ({ _tag: 'Right', right: answered.get(data) })) as unknown as Forward;
  const prism = createInstance(
    {
      isProxy: true,
      upstream: new URL('http://gateway.invalid/'),
      upstreamProxy: undefined,
      validateRequest: false,
      validateResponse: true,
      checkSecurity: false,
      errors: false,
      mock: { dynamic: false },
    },
    { logger: silentLogger, forward },
  );

  return async (exchange) => {
    const method = exchange.method.toLowerCase() as IHttpRequest['method'];
    const path = exchange.target.split('?', 1)[0] ?? '/';
    const request: IHttpRequest = { method, url: { path, query: {} }, headers: {} };
    answered.set(request, answerOf(exchange));
    const result = await prism.request(request, operations)();
    if (result._tag === 'Left')
      throw new Error(`Prism cannot check ${exchange.method} ${path}`, { cause: result.left });
    const { input, output } = result.right.validations as { input: Diagnostic[]; output: Diagnostic[] };
    return [...input, ...output].map(({ path: at = [], message }) =>
      at.length === 0 ? message : `${at.join('.')}: ${message}`,
    );
  };
}
