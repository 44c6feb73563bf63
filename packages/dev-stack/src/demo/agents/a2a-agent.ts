import { randomUUID } from 'node:crypto';
import { type AgentCard, type Message, type Part, Role } from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutor, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { listen, type RunningAgent } from './running-agent.ts';

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

/** The agent's answer to the received parts. */
export type A2aReply = (parts: Part[]) => string;

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
