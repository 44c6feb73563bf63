import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AgentCard, type Message, type Part, Role } from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutor, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';

export type RunningAgent = { url: string; requests: () => number; stop: () => Promise<void> };

/** Serves a listener on a free loopback port and counts its requests. */
export async function listen(listener: RequestListener, path = '/'): Promise<RunningAgent> {
  let requests = 0;
  const server: Server = createServer((request, response) => {
    requests += 1;
    listener(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    requests: () => requests,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const rpcPath = '/a2a';

const cardOf = (name: string): AgentCard => ({
  name,
  description: 'Quotes a price for a number of items.',
  version: '1.0.0',
  supportedInterfaces: [
    { url: `http://127.0.0.1${rpcPath}`, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' },
    { url: `http://127.0.0.1${rpcPath}`, protocolBinding: 'JSONRPC', protocolVersion: '0.3', tenant: '' },
  ],
  provider: { organization: 'Northwind', url: 'https://northwind.example' },
  capabilities: { streaming: true, pushNotifications: false, extensions: [], extendedAgentCard: false },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: ['text/plain', 'application/json'],
  defaultOutputModes: ['application/json'],
  skills: [
    {
      id: 'price_quote',
      name: 'Price quote',
      description: 'Quotes a price for a number of items.',
      tags: ['pricing'],
      examples: [],
      inputModes: [],
      outputModes: [],
      securityRequirements: [],
    },
  ],
  signatures: [],
});

type A2aReply = (parts: Part[]) => string;

const message = (text: string, contextId: string): Message => ({
  messageId: randomUUID(),
  contextId,
  taskId: '',
  role: Role.ROLE_AGENT,
  parts: [{ content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: 'text/plain' }],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});

/** An agent built with the public A2A SDK. It speaks A2A 1.0, and 0.3 as well unless `versionOneOnly`. */
export async function startA2aAgent(
  name: string,
  reply: A2aReply,
  options: { versionOneOnly?: boolean } = {},
): Promise<RunningAgent> {
  const executor: AgentExecutor = {
    execute: async (context, bus) => {
      bus.publish(AgentEvent.message(message(reply(context.userMessage.parts), context.contextId)));
      bus.finished();
    },
    cancelTask: async () => {},
  };
  const requestHandler = new DefaultRequestHandler(cardOf(name), new InMemoryTaskStore(), executor);
  const app = express();
  app.use(
    rpcPath,
    jsonRpcHandler({
      requestHandler,
      userBuilder: UserBuilder.noAuthentication,
      legacyCompat: { enabled: options.versionOneOnly !== true },
    }),
  );
  return listen(app, rpcPath);
}

/** A plain HTTP endpoint: JSON in, JSON out, no agent protocol. `answer` gets the body of a POST, or the query of a GET. */
export function startPlainAgent(answer: (input: unknown) => { status: number; body: unknown }): Promise<RunningAgent> {
  return listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const query = Object.fromEntries(new URL(request.url ?? '/', 'http://agent').searchParams);
      const isJson = request.headers['content-type']?.startsWith('application/json') === true;
      const { status, body } = answer(request.method === 'GET' ? query : isJson ? JSON.parse(text) : text);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
}
