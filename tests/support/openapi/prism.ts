import {
  createInstance,
  getHttpOperationsFromSpec,
  type IHttpRequest,
  type IHttpResponse,
} from '@stoplight/prism-http';
import { type Exchange, headerOf, jsonOf, textOf } from './exchange.ts';

/** What Prism says of a request that no operation of the document is for. */
export const noOperation = 'Selected route not found';

type Instance = Parameters<typeof createInstance>;
type Forward = NonNullable<Instance[1]['forward']>;
type Diagnostic = { path?: string[]; message: string };

const silence = (): void => undefined;
/** Prism's violations are answered, not logged. */
const logger: Record<string, unknown> = Object.fromEntries(
  ['trace', 'debug', 'info', 'success', 'warn', 'error', 'fatal'].map((level) => [level, silence]),
);
logger['child'] = () => logger;
export const silentLogger = logger as unknown as Instance[1]['logger'];

/** The answer as Prism's own forwarder would have read it; what has no type is bytes (RFC 9110 §8.3), where Prism would have none match. */
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
 * Prism as the proxy of an OpenAPI document, validating answers and not requests, as `prism proxy --errors=false` does: answers the
 * violations of each exchange. Its own forwarder is left out, because it changes what passes: it writes JSON anew (broken JSON becomes
 * its own 400, a text becomes bare, signed bytes lose their signature), normalises paths, follows redirects, gathers streams, has text
 * for binary bodies, fails on HEAD, and answers in the place of a server that answers 501. The exchange has been made already.
 */
export async function prismProxyOf(document: object): Promise<(exchange: Exchange) => Promise<string[]>> {
  // Dereferencing writes into what it is given.
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
      throw new Error(`Prism cannot judge ${exchange.method} ${path}`, { cause: result.left });
    const { input, output } = result.right.validations as { input: Diagnostic[]; output: Diagnostic[] };
    return [...input, ...output].map(({ path: at = [], message }) =>
      at.length === 0 ? message : `${at.join('.')}: ${message}`,
    );
  };
}
