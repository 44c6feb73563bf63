import type { RouteTool, Tool, ToolArguments } from '@agent-trust/contracts';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { errorAnswer } from '../../../http/error-answer.ts';
import { explainProtocol } from '../protocol-reference/explain-protocol.ts';
import type { McpContext } from '../mcp-context.ts';
import { answered, answerOfRoute, refusal, refusalAtArguments } from './tool-result.ts';
import { toRouteRequest } from './route-request.ts';
import { setAgentKey } from './set-agent-key.ts';
import { createEventTeller } from './streamed-answer.ts';

/** What one call of a tool has at hand. */
export type ToolRun = McpContext & {
  signal: AbortSignal;
  /** Tells the client of progress; null where it did not ask for that. */
  tell: ((progress: number, message: string) => Promise<void>) | null;
};

/**
 * Runs a tool. A refusal is a result as well, with the body that the route gives it; only what MCP itself is broken by is thrown, which is a call
 * that was cancelled.
 */
export async function runTool(tool: Tool, given: ToolArguments, run: ToolRun): Promise<CallToolResult> {
  try {
    return tool.kind === 'route' ? await askRoute(tool, given, run) : answered(await runOwn(tool.name, given, run));
  } catch (error) {
    run.signal.throwIfAborted();
    const { body } = errorAnswer(error, run.requestId);
    if (body.code === 'internal') run.logger.error({ err: error, request_id: run.requestId }, 'a tool failed');
    return refusal(error, run.requestId);
  }
}

const askRoute = async (tool: RouteTool, given: ToolArguments, run: ToolRun): Promise<CallToolResult> => {
  const asked = toRouteRequest(tool, given);
  const { tell } = run;
  const answer = await run.invoke(tool.route, asked, run.signal, tell === null ? undefined : createEventTeller(tell));
  return answer.status < 300 ? answerOfRoute(given, answer) : refusalAtArguments(tool, answer);
};

const runOwn = async (name: string, given: ToolArguments, run: ToolRun): Promise<Record<string, unknown>> => {
  switch (name) {
    case 'set_agent_key':
      return setAgentKey(given, run);
    case 'protocol_reference':
      return explainProtocol(given, run.baseUrl);
    default:
      throw new Error(`the catalogue has a tool of its own, ${name}, that nothing answers`);
  }
};
