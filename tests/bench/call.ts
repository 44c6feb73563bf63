import type { Stack } from '@agent-trust/dev-stack';
import { bearer, callBody, createOrganisation, httpTo, registerAgent } from '../support/registry.ts';
import { startHelper } from './helper-process.ts';
import { load, type LoadFigures, oneAtATime } from './load.ts';
import { startNginx } from './nginx.ts';

export const callConnections = 32;

export type CallBench = {
  proxies: number;
  ours: LoadFigures;
  /** `@fastify/http-proxy` in front of the same agent. */
  ceiling: LoadFigures;
  /** nginx in front of the same agent; null if it is not available. */
  nginx: LoadFigures | null;
  direct: LoadFigures;
  /** One call after another, in milliseconds: what the registry adds to a call on an idle system. */
  alone: { ours: { p50: number; p99: number }; direct: { p50: number; p99: number } };
  receiverAgentId: string;
  /** Calls that reached the agent through the registry. */
  carried: number;
};

/** POST /call, compared with plain proxies in front of the same agent and with the agent called directly. */
export async function benchCall(stack: Stack, seconds: number, say: (line: string) => void): Promise<CallBench> {
  const http = httpTo(stack.url);
  const agent = await startHelper('agent.ts');
  const proxy = await startHelper('http-proxy.ts', agent.url);
  const nginx = await startNginx(agent.url, say);
  const countCalls = async (): Promise<number> => Number(await (await fetch(agent.url)).text());
  try {
    const { key } = await createOrganisation(stack);
    const caller = await registerAgent(http, { key });
    const other = await createOrganisation(stack);
    const receiver = await registerAgent(http, { key: other.key, fields: { endpoint_url: agent.url } });
    const json = { 'content-type': 'application/json' };
    const plain = (url: string) => ({ url, method: 'POST' as const, headers: json, body: '{"sku":"A-1"}' });
    const calls = {
      url: `${stack.url}/call`,
      method: 'POST' as const,
      headers: { ...json, ...bearer(caller.key) },
      body: JSON.stringify(callBody(caller, receiver.agentId)),
    };
    const direct = await load(plain(agent.url), callConnections, seconds);
    const ceiling = await load(plain(proxy.url), callConnections, seconds);
    const beforeNginx = nginx === null ? null : await load(plain(nginx.url), callConnections, seconds);
    const before = await countCalls();
    const ours = await load(calls, callConnections, seconds);
    const carried = (await countCalls()) - before;
    const alone = { ours: await oneAtATime(calls, seconds), direct: await oneAtATime(plain(agent.url), seconds) };
    return {
      proxies: stack.processes().filter(({ name }) => name.startsWith('call-proxy')).length,
      ours,
      ceiling,
      nginx: beforeNginx,
      direct,
      alone,
      receiverAgentId: receiver.agentId,
      carried,
    };
  } finally {
    await nginx?.stop();
    await proxy.stop();
    await agent.stop();
  }
}
