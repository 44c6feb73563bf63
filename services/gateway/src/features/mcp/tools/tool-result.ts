import type { Page, ToolArguments } from '@agent-trust/contracts';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { errorAnswer } from '../../../http/error-answer.ts';
import type { RouteResult } from '../invoke-route.ts';
import { streamedAnswer } from './streamed-answer.ts';

/** A result both ways: for programs as it is, and as text for models. */
const resultOf = (content: Record<string, unknown>, isError: boolean): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(content) }],
  structuredContent: content,
  ...(isError ? { isError } : {}),
});

/** A good answer. */
export function answered(content: Record<string, unknown>): CallToolResult {
  return resultOf(content, false);
}

/** A refusal, with the body that an error has over HTTP. */
export function refused(body: Record<string, unknown>): CallToolResult {
  return resultOf(body, true);
}
export function refusal(error: unknown, requestId: string): CallToolResult {
  return refused(errorAnswer(error, requestId).body);
}

/** The good answer of a route. MCP's structured content is an object, so a list stands in `result`, with what its headers tell of the page. */
export function answerOfRoute(given: ToolArguments, { headers, body }: RouteResult): CallToolResult {
  if (Array.isArray(body)) return answered({ result: body, ...pageOf(headers, body.length) });
  if (typeof body === 'string') return answered(streamedAnswer(given, headers, body));
  return answered(body as Record<string, unknown>);
}

const pageOf = (headers: Record<string, string>, entries: number): Page | Record<string, never> => {
  const total = headers['x-total-count'];
  if (total === undefined) return {};
  const next = /<([^>]*)>\s*;\s*rel="?next"?/u.exec(headers['link'] ?? '')?.[1];
  const offset = next === undefined ? null : new URL(next, 'http://registry').searchParams.get('offset');
  return { total: Number(total), next_offset: offset === null || entries === 0 ? null : Number(offset) };
};
