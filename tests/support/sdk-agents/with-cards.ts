import { randomUUID } from 'node:crypto';
import type { AgentCard } from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutor, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { type RunningAgent, listen } from '@agent-trust/dev-stack/demo-agents';
import { Role } from '@a2a-js/sdk';
import { A2AExpressApp, DefaultRequestHandler as Handler02, InMemoryTaskStore as Tasks02 } from 'a2a-sdk-0.2/server';
import { DefaultRequestHandler as Handler03, InMemoryTaskStore as Tasks03 } from 'a2a-sdk-0.3/server';
import {
  agentCardHandler as cardHandler03,
  jsonRpcHandler as rpcHandler03,
  UserBuilder as UserBuilder03,
} from 'a2a-sdk-0.3/server/express';
import express from 'express';
import { kindedExecutor } from './kinded-executor.ts';

/** The common part of these agents' cards. */
const about = {
  description: 'Quotes freight by road and rail.',
  version: '1.0.0',
  provider: { organization: 'Freight of Tests', url: 'https://freight.example' },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
};
const skill = (id: string, name: string) => ({ id, name, description: `${name}.`, tags: ['freight'], examples: [] });
const skills = [skill('quote-imported-freight', 'Quote freight'), skill('skill-2', 'Track imported shipments')];

/** Serves its card where the A2A SDK's 0.2 line does. */
export async function startA2a02WithCard(): Promise<RunningAgent> {
  const card = { ...about, name: 'Freight 0.2', url: '', capabilities: { streaming: true }, skills };
  const app = express();
  const handler = new Handler02(card, new Tasks02(), kindedExecutor as never);
  new A2AExpressApp(handler).setupRoutes(app as never);
  const agent = await listen(app);
  card.url = agent.url;
  return agent;
}

/** Serves its card where the 0.3 line does. */
export async function startA2a03WithCard(): Promise<RunningAgent> {
  const card = {
    ...about,
    name: 'Freight 0.3',
    protocolVersion: '0.3.0',
    url: '',
    preferredTransport: 'JSONRPC',
    capabilities: { streaming: true },
    skills,
  };
  const requestHandler = new Handler03(card, new Tasks03(), kindedExecutor as never);
  const app = express();
  app.use('/.well-known/agent-card.json', cardHandler03({ agentCardProvider: requestHandler }));
  app.use('/a2a', rpcHandler03({ requestHandler, userBuilder: UserBuilder03.noAuthentication }));
  const agent = await listen(app);
  card.url = new URL('/a2a', agent.url).href;
  return agent;
}

const executor10: AgentExecutor = {
  execute: async ({ contextId }, bus) => {
    bus.publish(
      AgentEvent.message({
        messageId: randomUUID(),
        contextId,
        taskId: '',
        role: Role.ROLE_AGENT,
        parts: [
          {
            content: { $case: 'text', value: 'understood' },
            metadata: undefined,
            filename: '',
            mediaType: 'text/plain',
          },
        ],
        metadata: undefined,
        extensions: [],
        referenceTaskIds: [],
      }),
    );
    bus.finished();
  },
  cancelTask: async () => undefined,
};

/** Serves its card where the 1.0 line does. The card lists an interface that the registry does not support before the supported one. */
export async function startA2a10WithCard(): Promise<RunningAgent> {
  const card: AgentCard = {
    ...about,
    name: 'Freight 1.0',
    supportedInterfaces: [],
    capabilities: { streaming: true, pushNotifications: false, extensions: [], extendedAgentCard: false },
    securitySchemes: {},
    securityRequirements: [],
    skills: skills.map((one) => ({ ...one, inputModes: [], outputModes: [], securityRequirements: [] })),
    signatures: [],
  };
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor10);
  const app = express();
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
  app.use('/a2a', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  const agent = await listen(app);
  const at = (path: string, protocolBinding: string) => ({
    url: new URL(path, agent.url).href,
    protocolBinding,
    protocolVersion: '1.0',
    tenant: '',
  });
  card.supportedInterfaces.push(at('/grpc', 'GRPC'), at('/a2a', 'JSONRPC'));
  return agent;
}
