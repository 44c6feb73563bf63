import { type RunningAgent, listen } from '@agent-trust/dev-stack/demo-agents';
import { type AgentExecutor, DefaultRequestHandler, InMemoryTaskStore } from 'a2a-sdk-0.3/server';
import { jsonRpcHandler, UserBuilder } from 'a2a-sdk-0.3/server/express';
import express from 'express';
import { endpointMark, hideHost } from '../ask.ts';
import { kindedExecutor } from './kinded-executor.ts';

/** An agent built with the A2A SDK's 0.3 line. */
export async function startA2a03Agent(): Promise<RunningAgent> {
  const card = {
    name: 'zero-three',
    description: 'Speaks A2A 0.3.',
    url: 'http://127.0.0.1/',
    version: '1',
    protocolVersion: '0.3.0',
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  };
  const requestHandler = new DefaultRequestHandler(
    card,
    new InMemoryTaskStore(),
    kindedExecutor as unknown as AgentExecutor,
  );
  const app = express();
  app.use(`/${endpointMark}`, jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  const agent = await listen(app, `/${endpointMark}`);
  hideHost(agent.url);
  return agent;
}
