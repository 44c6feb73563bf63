import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import {
  bearer,
  callBody,
  createOrganisation,
  httpTo,
  type Member,
  registerAgent,
  textMessage,
} from '../../support/registry.ts';
import { startHelper } from '../helper-process.ts';
import type { Attack } from './attack.ts';

/** All places of agents without an organisation at a gateway, and the grace of their streams (`edgeLimits`). */
const places = 192;
const graceMs = 30_000;
const attackersCount = 4;
/** An agent gets a quarter of a proxy's calls. */
const receiversCount = 4;

/** Four agents without an organisation take every place of such agents with streams of a few bytes a second; another such agent calls. */
export const idleStreams: Attack = {
  name: 'four agents hold every place by idle streams',
  env: { TRUST_PROXY: '127.0.0.1' },
  aim: { p99TimesQuietMax: 4 },
  prepare: async (stack) => {
    const http = httpTo(stack.url);
    const quickAgent = await startHelper('agent.ts');
    const { key } = await createOrganisation(stack);
    const quick = await registerAgent(http, { key, fields: { endpoint_url: quickAgent.url } });
    const idleAgents = await Promise.all(Array.from({ length: receiversCount }, () => startHelper('idle-agent.ts')));
    const receivers: Member[] = [];
    for (const { url } of idleAgents) receivers.push(await registerAgent(http, { key, fields: { endpoint_url: url } }));
    const attackers: Member[] = [];
    for (let index = 0; index < attackersCount; index += 1) attackers.push(await registerAgent(http));
    const victim = await registerAgent(http);
    const headersOf = ({ key: own }: Member, address: number) => ({
      'content-type': 'application/json',
      ...bearer(own),
      'x-forwarded-for': `192.0.2.${address}`,
    });
    return {
      probe: async () => {
        const { status, text } = await http.post('/call', callBody(victim, quick.agentId), headersOf(victim, 9));
        if (status !== 200) throw new Error(`a small call returned ${status}: ${text.slice(0, 200)}`);
      },
      begin: async () => {
        const statuses: Record<string, number> = {};
        const streams = await Promise.all(
          Array.from({ length: places }, async (_, index) => {
            const attacker = attackers[index % attackersCount] as Member;
            const receiver = receivers[Math.floor(index / attackersCount) % receiversCount] as Member;
            const request = httpRequest(new URL('/call', stack.url), {
              method: 'POST',
              agent: false,
              // Two attackers at each address.
              headers: headersOf(attacker, 1 + ((index % attackersCount) >> 1)),
            });
            request.end(JSON.stringify(callBody(attacker, receiver.agentId, textMessage('idle', 'message/stream'))));
            const [response] = (await once(request, 'response')) as [IncomingMessage];
            response.on('error', () => undefined).resume();
            statuses[response.statusCode ?? 0] = (statuses[response.statusCode ?? 0] ?? 0) + 1;
            return response;
          }),
        );
        // Until then they keep their places.
        await delay(graceMs + 5_000);
        return {
          stop: async () => {
            for (const stream of streams) stream.destroy();
            return statuses;
          },
        };
      },
      end: async () => {
        await Promise.all([quickAgent, ...idleAgents].map((agent) => agent.stop()));
      },
    };
  },
};
