import { z } from 'zod';
import { exampleBaseUrl } from '../agent/examples.ts';
import { anyJsonObject } from '../http/bounded-record.ts';
import { cacheHeaders, ifNoneMatch } from '../http/headers.ts';
import { answer, route, type Route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { text } from '../text.ts';
import { verifyRoute } from '../agent/routes.ts';
import { agentCard } from './card-schema.ts';
import { a2aPath, buildAgentCard } from './own-card.ts';

const exampleCard = buildAgentCard([verifyRoute], {
  baseUrl: exampleBaseUrl,
  title: 'Agent Trust Registry',
  version: '1.0.0',
  description: 'Who an agent is, how far to trust it, and a record of every exchange.',
});

const cardRoute = (path: string, operationId: string, line: string): Route<z.ZodNever, z.ZodNever, z.ZodNever> =>
  route({
    method: 'GET',
    path,
    operationId,
    summary: `The registry's own agent card, where clients of A2A ${line} look for it`,
    description:
      'One document for clients of A2A 0.2, 0.3 and 1.0, the same at both places: skills, and the addresses of the REST and MCP interfaces.',
    tag: 'Operations',
    credentials: ['none'],
    headers: ifNoneMatch,
    answers: {
      200: answer('The agent card.', agentCard, exampleCard, { headers: cacheHeaders }),
      304: {
        description: 'The card of If-None-Match is still current.',
        body: null,
        headers: cacheHeaders,
      },
    },
  });

export const agentCardRoute = cardRoute('/.well-known/agent-card.json', 'getAgentCard', '0.3 and 1.0');
export const olderAgentCardRoute = cardRoute('/.well-known/agent.json', 'getOlderAgentCard', '0.2');

const rpcVersion = z.literal('2.0').describe('JSON-RPC 2.0.');

/** JSON-RPC 2.0 of A2A. Of the parameters only the id of a conversation is read. */
export const a2aRequest = z
  .looseObject({
    jsonrpc: rpcVersion,
    id: z
      .union([text(limits.tokenCharsMax), z.number(), z.null()])
      .optional()
      .describe('Repeated in the answer.'),
    method: text(limits.tokenCharsMax, 1).describe('A method of A2A.'),
    params: z.unknown().optional().describe('The message, and what else the method takes.'),
  })
  .meta({ id: 'A2aRequest', description: 'A request of A2A.' });

export const a2aResponse = z
  .object({
    jsonrpc: rpcVersion,
    id: z.union([z.string(), z.number(), z.null()]).describe('The id of the request.'),
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
  summary: 'Directions for clients of A2A',
  description:
    'The answer to any message (`message/send` of A2A 0.2 and 0.3, `SendMessage` of 1.0) has directions to the REST and MCP interfaces and ' +
    'every skill of the card. Nothing is done or stored: there are no tasks and no streams.',
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
      description: 'The answer of JSON-RPC; its errors have this status, too.',
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
          summary: 'A request for a task',
          value: { jsonrpc: '2.0', id: 2, error: { code: -32_001, message: 'there are no tasks here' } },
        },
      },
    },
  },
});

/** The routes of the registry's own card. */
export const agentCardRoutes: readonly Route[] = [agentCardRoute, olderAgentCardRoute, a2aRoute];
