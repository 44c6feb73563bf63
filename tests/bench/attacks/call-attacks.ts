import type { Stack } from '@agent-trust/dev-stack';
import { bearer, callBody, createOrganisation, httpTo, type Member, registerAgent } from '../../support/registry.ts';
import { startHelper } from '../helper-process.ts';
import type { Attack, PreparedAttack } from './attack.ts';
import { startFlood } from './flood.ts';

const dataMessage = (content: string): string =>
  `{"jsonrpc":"2.0","method":"message/send","params":{"message":{"role":"user","parts":[{"kind":"data","content_type":"application/json","content":${content}}]}}}`;

/** Near the limit of a call's body. */
const longBytes = 9_900_000;

type CallAttack = {
  name: string;
  /** The protocol of the agent that is called. */
  protocol: 'a2a' | 'raw';
  /** JSON of the message. */
  message: () => string;
  /** Calls at one time, of as many unaffiliated agents. */
  connections: number;
};

/** Calls of unaffiliated agents, while agents of organisations make small calls to another agent. */
const attackByCalls = ({ name, protocol, message, connections }: CallAttack): Attack => ({
  name,
  aim: { p99TimesQuietMax: 4 },
  prepare: async (stack) => {
    const http = httpTo(stack.url);
    const agent = await startHelper('agent.ts');
    const { key } = await createOrganisation(stack);
    const fields = { endpoint_url: agent.url };
    const small = await registerAgent(http, { key, fields });
    const attacked = await registerAgent(http, { key, fields: { ...fields, message_protocol: protocol } });
    const caller = await registerAgent(http, { key: (await createOrganisation(stack)).key });
    const attackers: Member[] = [];
    for (let index = 0; index < connections; index += 1) attackers.push(await registerAgent(http));
    return {
      probe: () => callOnce(stack, caller, small.agentId),
      begin: () =>
        startFlood({
          url: `${stack.url}/call`,
          shared: message(),
          connections: attackers.map((attacker) => ({
            headers: bearer(attacker.key),
            bodies: [JSON.stringify(callBody(attacker, attacked.agentId, '@'))],
          })),
        }),
      end: () => agent.stop(),
    } satisfies PreparedAttack;
  },
});

const callOnce = async (stack: Stack, caller: Member, agentId: string): Promise<void> => {
  const { status, text } = await httpTo(stack.url).post('/call', callBody(caller, agentId), bearer(caller.key));
  if (status !== 200) throw new Error(`a small call returned ${status}: ${text.slice(0, 200)}`);
};

/** JSON of about `bytes`, by repetition. */
const repeated = (piece: (index: number) => string, count: number): string =>
  Array.from({ length: count }, (_, index) => piece(index)).join();

export const callAttacks: readonly Attack[] = [
  attackByCalls({
    name: 'two calls with a data part of 850,000 members',
    protocol: 'a2a',
    message: () => dataMessage(`{${repeated((index) => `"k${index}":1`, 850_000)}}`),
    connections: 2,
  }),
  attackByCalls({
    name: 'two calls with 3.3 million empty objects',
    protocol: 'a2a',
    message: () => dataMessage(`{"a":[${repeated(() => '{}', longBytes / 3)}]}`),
    connections: 2,
  }),
  attackByCalls({
    name: 'forty calls of 10 MB to a raw agent',
    protocol: 'raw',
    message: () => JSON.stringify({ text: 'x'.repeat(longBytes) }),
    connections: 40,
  }),
];
