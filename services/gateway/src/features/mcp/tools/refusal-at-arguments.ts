import type { RouteTool, ValidationItem } from '@agent-trust/contracts';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { RouteResult } from '../invoke-route.ts';
import { refused } from './tool-result.ts';

/**
 * A route's refusal as its tool tells it: the same body, with faults at the arguments that they came from, and beside it what a header says of when
 * to come again.
 */
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
