import { type RouteTool, tools } from '@agent-trust/contracts';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { InvokeRoute, RouteRequest, RouteResult } from '../../invoke-route.ts';
import { runTool, type ToolRun } from '../run-tool.ts';

/** A tool that calls a route. */
export function toolOf(name: string): RouteTool {
  const tool = tools.find((one) => one.name === name);
  if (tool?.kind !== 'route') throw new Error(`${name} is no tool with a route`);
  return tool;
}
const good: RouteResult = { status: 200, headers: {}, body: { ok: true } };

/** Runs a tool whose route answers as given; records the route's requests. */
export async function runWith(
  name: string,
  given: Record<string, unknown>,
  answer: RouteResult = good,
): Promise<{ asked: RouteRequest[]; result: CallToolResult; body: Record<string, unknown> }> {
  const asked: RouteRequest[] = [];
  const invoke: InvokeRoute = (_route, request) => {
    asked.push(request);
    return Promise.resolve(answer);
  };
  const result = await runTool(toolOf(name), given, { ...context, invoke });
  return { asked, result, body: result.structuredContent as Record<string, unknown> };
}

/** A call by an anonymous client. */
export const context: ToolRun = {
  invoke: () => Promise.reject(new Error('nothing is asked')),
  setAgentKey: () => Promise.resolve(),
  isLiveAgentKey: () => Promise.resolve(true),
  baseUrl: 'http://registry',
  requestId: 'request-1',
  logger: { error: () => undefined },
  signal: new AbortController().signal,
  tell: null,
};
