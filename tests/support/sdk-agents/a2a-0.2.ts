import { type RunningAgent, listen } from '@agent-trust/dev-stack/demo-agents';
import { A2AExpressApp, type AgentExecutor, DefaultRequestHandler, InMemoryTaskStore } from 'a2a-sdk-0.2/server';
import express from 'express';
import { endpointMark, hideHost } from '../ask.ts';
import { kindedExecutor } from './kinded-executor.ts';

/** An agent built with the A2A SDK's 0.2 line. */
export async function startA2a02Agent(): Promise<RunningAgent> {
  const card = {
    name: 'zero-two',
    description: 'Speaks A2A 0.2.',
    url: 'http://127.0.0.1/',
    version: '1',
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  };
  const handler = new DefaultRequestHandler(card, new InMemoryTaskStore(), kindedExecutor as unknown as AgentExecutor);
  const app = express();
  // The SDK brings its own express, with the types of an older major version.
  new A2AExpressApp(handler).setupRoutes(app as never, `/${endpointMark}`);
  const agent = await listen(app, `/${endpointMark}`);
  hideHost(agent.url);
  return agent;
}
