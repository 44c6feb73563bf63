import { AsyncLocalStorage } from 'node:async_hooks';
import { DomainError, type Route } from '@agent-trust/contracts';
import { jsonTextOf, readJson } from '@agent-trust/json-text';
import { createChunkJoiner } from '@agent-trust/safe-fetch';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { errorAnswer, toRefusal } from '../../http/error-answer.ts';
import { mcpLimits } from './limits.ts';
import type { McpCaller } from './mcp-caller.ts';
import { isNestedDeeper } from './nesting.ts';

export type RouteRequest = {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, string>;
};
export type RouteResult = { status: number; headers: Record<string, string>; body: unknown };

/**
 * Runs a REST route of this gateway as the MCP connection's caller, with the whole pipeline (validation, authentication, rate limits,
 * idempotency, access log). A refusal is a result. Rejects with the signal's reason if it aborts, and with unexpected errors.
 */
export type InvokeRoute = (
  route: Route,
  asked: RouteRequest,
  signal: AbortSignal,
  watch?: WatchStream,
) => Promise<RouteResult>;

/** Gets the pieces of an event stream as they come; the stream waits for it. */
export type WatchStream = (piece: Uint8Array) => Promise<void>;

/** Cancels the request of a tool call. */
const cancelling = new AsyncLocalStorage<AbortSignal>();

/**
 * Runs routes in process, as if each tool call were a request with the headers of its message. @param setKey The key of `set_agent_key`,
 * which replaces Authorization; null if there is none.
 */
export function createInvokeRoute(app: FastifyInstance, caller: McpCaller, setKey: () => string | null): InvokeRoute {
  return async (route, asked, signal, watch) => {
    const key = setKey();
    const options: InjectOptions = {
      method: route.method,
      url: urlOf(route.path, asked),
      remoteAddress: caller.remoteAddress,
      signal,
      payloadAsStream: true,
      headers: {
        ...asked.headers,
        ...caller.headers,
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        'x-request-id': caller.requestId,
        ...(asked.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(asked.body === undefined ? {} : { payload: JSON.stringify(asked.body) }),
    };
    try {
      // inject starts when it is awaited, so it is awaited inside.
      const answer = await cancelling.run(signal, async () => await app.inject(options));
      const isStream = String(answer.headers['content-type']).startsWith('text/event-stream');
      const bytes = await readAnswer(answer.stream(), isStream ? watch : undefined);
      const headers = Object.fromEntries(
        Object.entries(answer.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
      );
      return { status: answer.statusCode, headers, body: parsed(headers['content-type'], bytes) };
    } catch (error) {
      signal.throwIfAborted();
      const refusal = isClosing(error)
        ? new DomainError('unavailable', 'this gateway is stopping; nothing was done, try again')
        : error;
      // The tool logs it, with the same request id.
      if (toRefusal(refusal) === null) throw error;
      const { status, headers, body } = errorAnswer(refusal, caller.requestId);
      return { status, headers, body };
    }
  };
}

/**
 * Ends the connection of a route when its tool call is cancelled, as over HTTP: inject's own signal ends only the reading of the body and
 * of the answer. A later write of the route is then an error event, which must not end the process.
 */
export function endCancelledRoutes(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, { raw }, done) => {
    if ('isLightMyRequest' in raw) {
      raw.on('error', () => undefined);
      const leave = (): void => void raw.destroy();
      const signal = cancelling.getStore();
      signal?.addEventListener('abort', leave, { once: true });
      raw.once('close', () => signal?.removeEventListener('abort', leave));
    }
    done();
  });
}

const urlOf = (path: string, { params = {}, query = {} }: RouteRequest): string => {
  const filled = path.replaceAll(/\{(\w+)\}/gu, (_braced, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) search.append(name, String(item));
    }
  }
  return search.size === 0 ? filled : `${filled}?${search.toString()}`;
};

const readAnswer = async (answer: AsyncIterable<Buffer>, watch: WatchStream | undefined): Promise<Buffer> => {
  const joiner = createChunkJoiner();
  let bytes = 0;
  for await (const chunk of answer) {
    bytes += chunk.byteLength;
    if (bytes > mcpLimits.routeAnswerBytesMax) {
      throw new DomainError(
        'payload_too_large',
        'what was asked was done; the answer is larger than a tool can hand on',
      );
    }
    joiner.add(chunk);
    await watch?.(chunk);
  }
  return joiner.joined();
};

const parsed = (contentType: string | undefined, bytes: Buffer): unknown => {
  const text = bytes.toString('utf8');
  return contentType?.startsWith('application/json') === true && text !== '' ? writable(JSON.parse(text), bytes) : text;
};

/** An agent's answer, the `body` of a call's, may be nested too deep for JSON.stringify: then it stays text. */
const writable = (answer: unknown, bytes: Buffer): unknown =>
  isNestedDeeper(answer, mcpLimits.nestingMax)
    ? { ...(answer as object), body: jsonTextOf(bodyIn(bytes))?.toString('utf8') }
    : answer;

const bodyIn = (answer: Buffer): unknown =>
  (readJson(answer, { members: { body: {} } }) as { body?: unknown } | undefined)?.body;

const isClosing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'FST_ERR_REOPENED_CLOSE_SERVER';
