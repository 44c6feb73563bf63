import type { Stack } from '@agent-trust/dev-stack';
import { bearer, callBody, createOrganisation, httpTo, registerAgent } from '../support/registry.ts';
import { startHelper } from './helper-process.ts';
import { load, type LoadFigures } from './load.ts';

export const callConnections = 32;

export type CallBench = {
  ours: LoadFigures;
  ceiling: LoadFigures;
  direct: LoadFigures;
  receiverAgentId: string;
  /** Calls that the agent got through the registry. */
  carried: number;
};

/** POST /call beside `@fastify/http-proxy` in front of the same agent, and the agent called directly. */
export const benchCall = async (stack: Stack, seconds: number): Promise<CallBench> => {
  const http = httpTo(stack.url);
  const agent = await startHelper('agent.ts');
  const proxy = await startHelper('http-proxy.ts', agent.url);
  const countCalls = async (): Promise<number> => Number(await (await fetch(agent.url)).text());
  try {
    const [caller, receiver] = await Promise.all(
      [{}, { endpoint_url: agent.url }].map(async (fields) => {
        const { key } = await createOrganisation(stack);
        return registerAgent(http, { key, fields });
      }),
    );
    if (caller === undefined || receiver === undefined) throw new Error('two agents');
    const json = { 'content-type': 'application/json' };
    const direct = await load(
      { url: agent.url, method: 'POST', headers: json, body: '{"sku":"A-1"}' },
      callConnections,
      seconds,
    );
    const ceiling = await load(
      { url: proxy.url, method: 'POST', headers: json, body: '{"sku":"A-1"}' },
      callConnections,
      seconds,
    );
    const before = await countCalls();
    const body = JSON.stringify(callBody(caller, receiver.agentId));
    const headers = { ...json, ...bearer(caller.key) };
    const ours = await load({ url: `${stack.url}/call`, method: 'POST', headers, body }, callConnections, seconds);
    return { ours, ceiling, direct, receiverAgentId: receiver.agentId, carried: (await countCalls()) - before };
  } finally {
    await proxy.stop();
    await agent.stop();
  }
};
