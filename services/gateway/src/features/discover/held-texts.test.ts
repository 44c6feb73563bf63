import {
  agentProfileToWire,
  getAgent,
  getAgentProfile,
  getShownAgents,
  type RatingRecord,
  trustObjectToWire,
  unregistered,
} from '@agent-trust/contracts';
import type { Answer, Holdable } from '@agent-trust/edge-replica/bus';
import type { Rpc } from '@agent-trust/nats-rpc';
import { expect, it } from 'vitest';
import type { Gateway } from '../../gateway.ts';
import { madeOf } from '../../http/public-document.ts';
import { publicAgent } from '../../testing/agents.ts';
import { createFindVerdict } from './find-verdict.ts';
import { heldProfile, heldVerdict, profileDocument, verdictText, verdictsText } from './held-texts.ts';

const baseUrl = 'https://registry.test';
const request = { id: 'r', headers: {} } as never;

/** A gateway that keeps all that may be kept, and a service that knows `a`, `b` and `c`, and an agent of an organisation. */
const setUp = (contactInfo: string | null = null, ratings: RatingRecord[] = []) => {
  const kept = new Map<string, { value: Holdable; dependsOn: readonly string[] }>();
  const asked: string[] = [];
  const agentOf = (agentId: string) => {
    if (agentId === 'of-acme') return publicAgent({ agentId, orgId: 'acme', trustPolicy: 'v2' });
    if (agentId === 'under-v1') return publicAgent({ agentId, orgId: 'acme', trustPolicy: 'v1' });
    return ['a', 'b', 'c'].includes(agentId) ? publicAgent({ agentId, specialty: `ü "${agentId}"` }) : null;
  };
  const answers: Record<string, (input: { agentId: string; agentIds: string[] }) => unknown> = {
    [getAgent.method]: ({ agentId }) => ({ agent: agentOf(agentId) }),
    [getAgentProfile.method]: ({ agentId }) => {
      const agent = agentOf(agentId);
      return { agent: agent && { ...agent, contactInfo }, ratings };
    },
    [getShownAgents.method]: ({ agentIds }) => ({
      build: 'x',
      agents: agentIds.flatMap((id) => agentOf(id) ?? []).map((agent) => ({ agent, changedPosition: '1' })),
    }),
  };
  const rpc = {
    request: (method: { method: string }, input: never) => {
      asked.push(method.method);
      return Promise.resolve(answers[method.method]?.(input));
    },
  } as unknown as Rpc;
  const gateway = {
    baseUrl,
    rpc,
    findVerdict: createFindVerdict(rpc, () => baseUrl),
    replica: {
      held: (key: string) => kept.get(key)?.value,
      read: async (key: string, ask: () => Promise<Answer<Holdable>>) => {
        const held = kept.get(key);
        if (held !== undefined) return held.value;
        const { value, dependsOn } = await ask();
        if (dependsOn !== null) kept.set(key, { value, dependsOn });
        return value;
      },
    },
  } as unknown as Gateway;
  return { gateway, kept, asked };
};

const textOf = (agentId: string): string =>
  JSON.stringify(trustObjectToWire(publicAgent({ agentId, specialty: `ü "${agentId}"` }), baseUrl));

it('a trust object is the same text from memory, and depends on who the agent is and what it has earned', async () => {
  const { gateway, kept, asked } = setUp();
  for (const _ of [1, 2]) expect(await verdictText(gateway, request, 'a')).toBe(textOf('a'));
  expect(asked).toHaveLength(1);
  expect(kept.get('verdict:a')?.dependsOn).toEqual(['agent:a', 'standing:a']);
  expect([heldVerdict(gateway, 'a'), heldVerdict(gateway, 'b')]).toEqual([textOf('a'), undefined]);
});

// Bug: a change of an organisation's record, which names none of its agents, leaves their former scores in memory.
it('what shows the score of an agent of an organisation depends on its record, too', async () => {
  const { gateway, kept } = setUp();
  await verdictText(gateway, request, 'of-acme');
  await profileDocument(gateway, request, 'of-acme');
  for (const key of ['verdict:of-acme', 'profile:of-acme']) {
    expect(kept.get(key)?.dependsOn).toEqual(['agent:of-acme', 'standing:of-acme', 'record:acme']);
  }
});

// Bug: fewer answers fit in the memory of a registry that keeps no records.
it('under policy v1 a score depends on no record', async () => {
  const { gateway, kept } = setUp();
  await verdictText(gateway, request, 'under-v1');
  await profileDocument(gateway, request, 'under-v1');
  for (const key of ['verdict:under-v1', 'profile:under-v1']) {
    expect(kept.get(key)?.dependsOn).toEqual(['agent:under-v1', 'standing:under-v1']);
  }
});

// Bug: requests for agents that do not exist push out all that is held.
it('that an agent is unknown is never held', async () => {
  const { gateway, kept, asked } = setUp();
  for (const _ of [1, 2]) {
    expect(await verdictText(gateway, request, 'nobody')).toBeNull();
    expect(await profileDocument(gateway, request, 'nobody')).toBeNull();
    expect(await verdictsText(gateway, request, ['a', 'nobody'])).toBe(
      `[${textOf('a')},${JSON.stringify(unregistered('nobody'))}]`,
    );
  }
  expect([asked.length, [...kept.keys()]]).toEqual([6, ['verdict:a']]);
});

it('trust objects that are asked for at one time share a question', async () => {
  const { gateway, asked } = setUp();
  const ids = ['a', 'nobody', 'b', 'a', 'c'];
  const found = await Promise.all(ids.map((agentId) => gateway.findVerdict(request, agentId)));
  const texts = found.map((each) => each?.text ?? null);
  expect(texts).toEqual(ids.map((agentId) => (agentId === 'nobody' ? null : textOf(agentId))));
  expect(asked).toEqual([getShownAgents.method]);
});

it('a profile is the same document from memory, and is not held with a contact', async () => {
  const { gateway, kept, asked } = setUp();
  const agent = { ...publicAgent({ agentId: 'a', specialty: 'ü "a"' }), contactInfo: null };
  const made = madeOf(agentProfileToWire(agent, [], baseUrl));
  for (const _ of [1, 2]) expect(await profileDocument(gateway, request, 'a')).toEqual(made);
  expect([asked.length, kept.get('profile:a')?.dependsOn]).toEqual([1, ['agent:a', 'standing:a']]);
  expect([heldProfile(gateway, 'a'), heldProfile(gateway, 'b')]).toEqual([made, undefined]);
  const personal = setUp('room 7');
  for (const _ of [1, 2])
    expect((await profileDocument(personal.gateway, request, 'a'))?.text).toContain('"contact_info":"room 7"');
  expect([personal.asked.length, personal.kept.size]).toEqual([2, 0]);
});

it('a profile is not held with an answer to a rating that a key opens', async () => {
  const rating: RatingRecord = {
    transactionId: 't1',
    callerAgentId: 'b',
    callerOrgDomain: null,
    success: false,
    score: 2,
    reviewedAt: '2026-01-01T00:00:00.000Z',
  };
  const answeredAt = '2026-01-02T00:00:00.000Z';
  const held = async (answer?: RatingRecord['answer']): Promise<[string | undefined, number]> => {
    const { gateway, kept } = setUp(null, [answer === undefined ? rating : { ...rating, answer }]);
    return [(await profileDocument(gateway, request, 'a'))?.text, kept.size];
  };
  const [plain, plainHeld] = await held();
  expect([plain?.includes('"answer"'), plainHeld]).toEqual([false, 1]);
  const [answered, answeredHeld] = await held({ text: 'It is mended.', answeredAt });
  expect(answered).toContain(`"answer":{"text":"It is mended.","answered_at":"${answeredAt}"}`);
  expect(answeredHeld).toBe(0);
  // What is gone stays gone.
  expect((await held({ text: null, answeredAt }))[1]).toBe(1);
});

it('many trust objects are all from memory, or all from one question, whose answers are kept', async () => {
  const { gateway, kept, asked } = setUp();
  const expected = `[${[textOf('b'), textOf('c'), textOf('a'), textOf('b')].join(',')}]`;
  // An answer that is held may be of another moment than those that are asked for.
  kept.set('verdict:a', { value: '"of another moment"', dependsOn: [] });
  expect(await verdictsText(gateway, request, ['b', 'c', 'a', 'b'])).toBe(expected);
  kept.delete('verdict:a');
  expect(await verdictsText(gateway, request, ['b', 'c', 'a', 'b'])).toBe(expected);
  expect(asked).toHaveLength(2);
  expect(await verdictsText(gateway, request, ['b', 'c', 'a', 'b'])).toBe(expected);
  expect(await verdictText(gateway, request, 'a')).toBe(textOf('a'));
  expect(asked).toHaveLength(2);
});
