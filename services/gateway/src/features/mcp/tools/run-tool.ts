import {
  type RouteTool,
  type Tool,
  type ToolArguments,
  fieldsOf,
  DomainError,
  setAgentKeyTool,
} from '@agent-trust/contracts';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import { isAgentKey } from '../../../credentials/keys.ts';
import { errorAnswer } from '../../../http/error-answer.ts';
import { parse } from '../../../http/endpoint.ts';
import type { RouteRequest } from '../invoke-route.ts';
import type { McpContext } from '../mcp-core.ts';
import { explainProtocol } from '../protocol-reference/explain-protocol.ts';
import { createEventTeller } from './streamed-answer.ts';
import { answered, answerOfRoute, refusal, refusalAtArguments } from './tool-result.ts';

/** The dependencies of one tool call. */
export type ToolRun = McpContext & {
  signal: AbortSignal;
  /** Reports progress; null if the client did not ask for it. */
  tell: ((progress: number, message: string) => Promise<void>) | null;
};

/** Runs a tool. A refusal is a result, with the body of its route; only a cancelled call throws. */
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

/**
 * The request that a tool's arguments make. Path, query and headers are checked here, where the arguments still have their types; the route
 * checks the body. Unknown arguments are ignored. @throws DomainError validation_failed, with places in the arguments.
 */
function toRouteRequest(tool: RouteTool, given: ToolArguments): RouteRequest {
  if (tool.extra !== undefined) parse('arguments', tool.extra, given);
  const values = tool.toRoute?.(given) ?? given;
  const { params, query, body } = tool.route;
  const headers = Object.entries(tool.headers ?? {}).flatMap(([argument, header]) => {
    const value = given[argument];
    return typeof value === 'string' ? [[header.toLowerCase(), value] as const] : [];
  });
  return {
    ...(params === undefined ? {} : { params: checked(params, picked(fieldsOf(params), values)) }),
    ...(query === undefined ? {} : { query: checked(query, asTexts(picked(fieldsOf(query), values))) }),
    ...(body === undefined ? {} : { body: picked(fieldsOf(body), values) }),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
  };
}

const asTexts = (fields: ToolArguments): ToolArguments =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'number' || typeof value === 'boolean' ? String(value) : value,
    ]),
  );

/** The fields, once the route's schema accepts them. */
const checked = (schema: z.ZodType, fields: ToolArguments): Record<string, string> => {
  parse('arguments', schema, fields);
  return fields as Record<string, string>;
};

const picked = (fields: readonly string[], values: ToolArguments): ToolArguments =>
  Object.fromEntries(fields.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])));

/**
 * Makes the session act with an agent's key, or with none. The key must be valid for some agent; no answer names the agent or repeats the
 * key. @throws DomainError validation_failed, invalid_credential; errors of the session store.
 */
export async function setAgentKey(
  given: ToolArguments,
  context: Pick<McpContext, 'setAgentKey' | 'isLiveAgentKey'>,
): Promise<Record<string, unknown>> {
  const key = (parse('arguments', setAgentKeyTool.input, given)['agent_key'] ?? '') as string;
  if (key === '') {
    await context.setAgentKey(null);
    return {
      status: 'cleared',
      message: "No key is set for this session: tools act with the credentials of the connection's headers, if any.",
    };
  }
  if (!isAgentKey(key)) {
    throw new DomainError('validation_failed', 'the key has not the form of one', {
      items: [
        {
          loc: ['arguments', 'agent_key'],
          msg: "must be an agent key, registry-agent-sk- and 43 characters; an organisation's key goes into X-API-KEY of the connection",
          type: 'value_error',
        },
      ],
    });
  }
  if (!(await context.isLiveAgentKey(key))) {
    throw new DomainError(
      'invalid_credential',
      "the key is no agent's key: it was replaced, or never was one; what was set before stays",
    );
  }
  await context.setAgentKey(key);
  return { status: 'set', message: 'From now on the tools of this session act as the agent whose key this is.' };
}
