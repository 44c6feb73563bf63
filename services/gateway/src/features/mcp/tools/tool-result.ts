import {
  faultAt,
  type Page,
  type RouteTool,
  type ToolArguments,
  tools,
  type ValidationItem,
} from '@agent-trust/contracts';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { RouteResult } from '../invoke-route.ts';
import { streamedAnswer } from './streamed-answer.ts';
import { errorAnswer } from '../../../http/error-answer.ts';

/** A result in both forms: structured, and as text for models. */
const resultOf = (content: Record<string, unknown>, isError: boolean): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(content) }],
  structuredContent: content,
  ...(isError ? { isError } : {}),
});

export function answered(content: Record<string, unknown>): CallToolResult {
  return resultOf(content, false);
}

/** A refusal, with the body of an error over HTTP. */
export function refused(body: Record<string, unknown>): CallToolResult {
  return resultOf(body, true);
}
export function refusal(error: unknown, requestId: string): CallToolResult {
  return refused(errorAnswer(error, requestId).body);
}

/**
 * The successful answer of a route. MCP's structured content is an object, so a list is in `result`, with the page's data from its headers; that of an
 * object is beside its fields.
 */
export function answerOfRoute(given: ToolArguments, { headers, body }: RouteResult): CallToolResult {
  if (Array.isArray(body)) return answered({ result: body, ...pageOf(headers, body.length > 0) });
  if (typeof body === 'string') return answered(streamedAnswer(given, headers, body));
  return answered({ ...(body as Record<string, unknown>), ...pageOf(headers, true) });
}

const pageOf = (headers: Record<string, string>, hasEntries: boolean): Page | Record<string, never> => {
  const total = headers['x-total-count'];
  if (total === undefined) return {};
  const next = /<([^>]*)>\s*;\s*rel="?next"?/u.exec(headers['link'] ?? '')?.[1];
  const offset = next === undefined ? null : new URL(next, 'http://registry').searchParams.get('offset');
  return { total: Number(total), next_offset: offset === null || !hasEntries ? null : Number(offset) };
};

/** A route's refusal as the result of its tool: the same body, with faults at the arguments, and with the value of Retry-After. */
export function refusalAtArguments(tool: RouteTool, { body, headers }: RouteResult): CallToolResult {
  const error = body as { detail: string | ValidationItem[] };
  const retryAfter = headers['retry-after'];
  return refused({
    ...error,
    ...(Array.isArray(error.detail) ? { detail: error.detail.map((item) => atArguments(tool, item)) } : {}),
    ...(retryAfter === undefined ? {} : { retry_after_seconds: Number(retryAfter) }),
  });
}

const atArguments = (tool: RouteTool, item: ValidationItem): ValidationItem => {
  const [place, name, ...rest] = item.loc;
  if (place !== 'body' && place !== 'query' && place !== 'path' && place !== 'header') return item;
  if (name === undefined) return { ...item, loc: ['arguments'] };
  const ofHeader = Object.entries(tool.headers ?? {}).find(
    ([, header]) => header.toLowerCase() === String(name).toLowerCase(),
  )?.[0];
  return { ...item, loc: ['arguments', place === 'header' ? (ofHeader ?? name) : name, ...rest] };
};

/** Refuses an unknown tool as a result, since a model may not see an error of the protocol. Its name is not repeated. */
export function unknownTool(requestId: string): CallToolResult {
  return refusal(
    faultAt(
      'validation_failed',
      ['name'],
      `there is no such tool; there are ${tools.map(({ name }) => name).join(', ')}`,
    ),
    requestId,
  );
}
