/** Bugs: an endpoint is used after it has changed; what one universe sees is answered to another. */
import { type CallTarget, production, type Universe } from '@agent-trust/contracts';
import type { Answer, Holdable, Replica } from '@agent-trust/edge-replica/bus';
import { expect, it } from 'vitest';
import { findTarget } from './target.ts';

const targetOf = (agentId: string): CallTarget => ({
  agentId,
  orgId: null,
  endpointUrl: `https://${agentId}.test/`,
  messageProtocol: 'a2a',
  a2aCompliant: false,
  httpMethods: null,
  payable: false,
  block: null,
});
const sandbox: Universe = { kind: 'sandbox', orgId: 'o' };

/** Holds every answer until something that it depends on changes. */
const holding = () => {
  const held = new Map<string, Answer<Holdable>>();
  const replica: Pick<Replica, 'read'> = {
    read: async <Value extends Holdable>(key: string, ask: () => Promise<Answer<Value>>) => {
      const answer = (held.get(key) as Answer<Value> | undefined) ?? (await ask());
      if (answer.dependsOn !== null) held.set(key, answer);
      return answer.value;
    },
  };
  const change = (name: string): void => {
    for (const [key, { dependsOn }] of held) if (dependsOn?.includes(name) === true) held.delete(key);
  };
  return { replica, change };
};

const proxyWith = (known: Set<string>) => {
  const asked: string[] = [];
  const { replica, change } = holding();
  const request = async (_method: unknown, { agentId, universe }: { agentId: string; universe: Universe }) => {
    asked.push(`${agentId} from ${universe.kind}`);
    return { target: universe.kind === 'production' && known.has(agentId) ? targetOf(agentId) : null };
  };
  const deps = { rpc: { request } as never, replica };
  const find = (agentId: string, universe = production, callerAgentId: string | null = null) =>
    findTarget(deps, 'call', { agentId, universe, caller: { agentId: 'caller' }, callerAgentId }, 'r').then(
      ({ endpointUrl }) => endpointUrl,
      ({ code }: { code: string }) => code,
    );
  return { asked, change, find };
};

it('asks for an agent again when the agent has changed, and not when it has earned something', async () => {
  const { asked, change, find } = proxyWith(new Set(['a', 'b']));
  expect([await find('a'), await find('a'), await find('b')]).toEqual([
    'https://a.test/',
    'https://a.test/',
    'https://b.test/',
  ]);
  change('standing:a');
  await find('a');
  expect(asked).toEqual(['a from production', 'b from production']);
  change('agent:a');
  await find('a');
  await find('b');
  expect(asked.slice(2)).toEqual(['a from production']);
});

// Bug: requests for agents that do not exist push out all that is held.
it('never holds that an agent is unknown', async () => {
  const known = new Set<string>();
  const { asked, find } = proxyWith(known);
  expect([await find('a'), await find('a'), asked.length]).toEqual(['agent_not_found', 'agent_not_found', 2]);
  known.add('a');
  expect(await find('a')).toBe('https://a.test/');
});

it('answers each universe for itself, and checks each caller although the target is held', async () => {
  const { asked, find } = proxyWith(new Set(['a']));
  expect([await find('a'), await find('a', sandbox), await find('a', { kind: 'sandbox', orgId: 'p' })]).toEqual([
    'https://a.test/',
    'agent_not_found',
    'agent_not_found',
  ]);
  expect(asked).toHaveLength(3);
  expect(await find('a', production, 'another')).toBe('caller_mismatch');
  expect(asked).toHaveLength(3);
});
