import { z } from 'zod';
import { anyJsonObject } from '../http/bounded-record.ts';
import { cacheHeaders, ifNoneMatch } from '../http/headers.ts';
import { answer, route, type Route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { text } from '../text.ts';
import { agentCard, agentCardExample } from './card-schema.ts';
import { a2aPath } from './own-card.ts';

const cardRoute = (path: string, operationId: string, line: string): Route<z.ZodNever, z.ZodNever, z.ZodNever> =>
  route({
    method: 'GET',
    path,
    operationId,
    summary: `The registry's own agent card, where clients of A2A ${line} look for it`,
    description:
      'One document for clients of A2A 0.2, 0.3 and 1.0, the same at both places: what the registry does, as skills, and where its REST and MCP ' +
      'interfaces are.',
    tag: 'Operations',
    credentials: ['none'],
    headers: ifNoneMatch,
    answers: {
      200: answer('The agent card.', agentCard, agentCardExample, { headers: cacheHeaders }),
      304: {
        description: 'The card that If-None-Match names is still the current one.',
        body: null,
        headers: cacheHeaders,
      },
    },
  });

export const agentCardRoute = cardRoute('/.well-known/agent-card.json', 'getAgentCard', '0.3 and 1.0');
export const olderAgentCardRoute = cardRoute('/.well-known/agent.json', 'getOlderAgentCard', '0.2');

const rpcVersion = z.literal('2.0').describe('JSON-RPC 2.0.');

/** JSON-RPC 2.0 as A2A has it. What the parameters hold is not looked at, but for the id of a conversation. */
export const a2aRequest = z
  .looseObject({
    jsonrpc: rpcVersion,
    id: z
      .union([text(limits.tokenCharsMax), z.number(), z.null()])
      .optional()
      .describe('Comes back with the answer.'),
    method: text(limits.tokenCharsMax, 1).describe('A method of A2A.'),
    params: z.unknown().optional().describe('The message, and what else the method takes.'),
  })
  .meta({ id: 'A2aRequest', description: 'A request of A2A.' });

export const a2aResponse = z
  .object({
    jsonrpc: rpcVersion,
    id: z.union([z.string(), z.number(), z.null()]).describe('That of the request.'),
    result: anyJsonObject.optional().meta({
      type: 'object',
      additionalProperties: true,
      description: "The registry's message, in the form of the client's line of A2A.",
    }),
    error: z
      .object({
        code: z.int().describe('As JSON-RPC and A2A number them.'),
        message: z.string().describe('What is wrong.'),
      })
      .optional()
      .describe('In place of a result.'),
  })
  .meta({ id: 'A2aResponse', description: 'An answer of A2A: a result or an error.' });

export const a2aRoute = route({
  method: 'POST',
  path: a2aPath,
  operationId: 'askForDirections',
  summary: 'How to use the registry, told to a client that speaks A2A',
  description:
    'Any message (`message/send` of A2A 0.2 and 0.3, `SendMessage` of 1.0) is answered with directions to the REST and MCP interfaces and with ' +
    'every skill of the card. Nothing is done and nothing is kept: there are no tasks and no streams.',
  tag: 'Operations',
  credentials: ['none'],
  body: a2aRequest,
  bodyBytesMax: limits.a2aBodyBytesMax,
  bodyExamples: {
    message: {
      summary: 'A message, as a client of A2A 0.3 sends it',
      value: {
        jsonrpc: '2.0',
        id: 1,
        method: 'message/send',
        params: {
          message: {
            kind: 'message',
            role: 'user',
            messageId: '1',
            parts: [{ kind: 'text', text: 'How do I find an agent?' }],
          },
        },
      },
    },
  },
  answers: {
    200: {
      description: 'The answer of JSON-RPC, an error of which has this status too.',
      body: a2aResponse,
      examples: {
        directions: {
          summary: 'Directions',
          value: {
            jsonrpc: '2.0',
            id: 1,
            result: {
              kind: 'message',
              role: 'agent',
              messageId: 'c4b7f1f0-6f1b-4d53-9a2e-1f8f3c1f0a11',
              parts: [{ kind: 'text', text: 'Nothing was done: …' }],
            },
          },
        },
        no_tasks: {
          summary: 'A task is asked for',
          value: { jsonrpc: '2.0', id: 2, error: { code: -32_001, message: 'there are no tasks here' } },
        },
      },
    },
  },
});

/** The routes of the registry's own card. */
export const agentCardRoutes: readonly Route[] = [agentCardRoute, olderAgentCardRoute, a2aRoute];
