import { join } from 'node:path';
import type { Stack } from '@agent-trust/dev-stack';
import { createOrganisation, httpTo, registerAgent } from '../support/registry.ts';
import { startHelper } from './helper-process.ts';
import { load, type LoadFigures, type LoadTarget } from './load.ts';
import type { RandomAgents } from './requests/random-agent.ts';

export const readConnections = 32;

/** A path beside a bare fastify route that returns the same bytes. */
export type ReadBench = { ours: LoadFigures; ceiling: LoadFigures };

const besideBare = async (target: LoadTarget, bytes: string, seconds: number): Promise<ReadBench> => {
  const bare = await startHelper('bare-fastify.ts', bytes);
  try {
    const ceiling = await load({ ...target, url: bare.url }, readConnections, seconds);
    return { ceiling, ours: await load(target, readConnections, seconds) };
  } finally {
    await bare.stop();
  }
};

const verifyTarget = (stack: Stack, body: string): LoadTarget => ({
  url: `${stack.url}/verify`,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body,
});

/** POST /verify and GET /agent/{id} of one agent. */
export async function benchReads(stack: Stack, seconds: number): Promise<{ verify: ReadBench; agent: ReadBench }> {
  const http = httpTo(stack.url);
  const { key } = await createOrganisation(stack);
  const fields = {
    endpoint_url: 'http://127.0.0.1:1/',
    capabilities: ['price_quote', 'ocr'],
    settlement_rail: ['x402'],
  };
  const { agentId } = await registerAgent(http, { key, fields });
  const body = JSON.stringify({ agent_id: agentId });
  const path = `/agent/${agentId}`;
  const verified = await http.post('/verify', body);
  const shown = await http.get(path);
  return {
    verify: await besideBare(verifyTarget(stack, body), JSON.stringify(verified.body), seconds),
    agent: await besideBare({ url: `${stack.url}${path}`, method: 'GET' }, JSON.stringify(shown.body), seconds),
  };
}

const batchAgents = 100;

/** POST /verify of another agent with each request, when all have been asked for once. */
export async function benchRandomVerify(stack: Stack, agents: RandomAgents, seconds: number): Promise<ReadBench> {
  for (let from = 0; from < agents.agents; from += batchAgents) {
    const agentIds = Array.from({ length: batchAgents }, (_, index) => `${agents.prefix}${from + index}`);
    await httpTo(stack.url).post('/verify/batch', { agent_ids: agentIds.slice(0, agents.agents - from) });
  }
  const verified = await httpTo(stack.url).post('/verify', { agent_id: `${agents.prefix}0` });
  const target = {
    ...verifyTarget(stack, JSON.stringify(agents)),
    eachRequest: join(import.meta.dirname, 'requests', 'random-agent.ts'),
  };
  return besideBare(target, JSON.stringify(verified.body), seconds);
}
