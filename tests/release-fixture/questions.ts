import type { Stack } from '@agent-trust/dev-stack';
import { type Body, sendTo } from '../support/registry.ts';
import { anybody, keyOf, type Known, operator, sandboxKeyOf, unreviewed } from './history/written-registry.ts';

type Question = { by: string; method: 'GET' | 'POST'; path: string; body?: Body };
/** What a registry says of its data, by question. */
export type Answers = Record<string, { status: number; body: unknown }>;

/** What is asked of a registry before and after an upgrade: everything that it shows of agents, organisations and the log. */
export function questionsAbout(known: Known): Question[] {
  const get = (by: string, path: string): Question => ({ by, method: 'GET', path });
  const orgs = known.organisations;
  const reviewed = Object.entries(known.exchanges).flatMap(([name, one]) => (name === unreviewed ? [] : [one]));
  return [
    ...Object.entries(known.agents).flatMap(([agentId, { readableBy: by }]) => [
      get(by, `/agent/${agentId}`),
      get(by, `/agent/${agentId}/trust`),
      get(by, `/agent/${agentId}/trust/history`),
      get(by, `/agent/${agentId}/reviews/leaves`),
      { by, method: 'POST', path: '/verify', body: { agent_id: agentId } } as const,
    ]),
    ...reviewed.map(({ agentId, transactionId, readableBy }) =>
      get(readableBy, `/agent/${agentId}/trust/receipt/${transactionId}`),
    ),
    ...orgs.flatMap((org) =>
      [keyOf(org), sandboxKeyOf(org)].flatMap((by) => [
        get(by, '/org/whoami'),
        get(by, '/org/agents'),
        get(by, '/org/payments'),
        get(by, '/org/domains'),
      ]),
    ),
    ...orgs.map((org) => get(keyOf(org), '/org/webhooks')),
    get(keyOf('alpha'), '/org/agents/changing'),
    get(keyOf('alpha'), '/org/agents/changing/events'),
    get(keyOf('beta'), '/org/agents/answering/events'),
    get(anybody, '/registry?limit=200'),
    { by: anybody, method: 'POST', path: '/match', body: { required_capabilities: ['machine_translation'] } },
    { by: anybody, method: 'POST', path: '/match', body: { org_name: 'beta', limit: 100 } },
    get(keyOf('beta'), '/org/keys'),
    get('named key deployment', '/org/whoami'),
    get('named key nightly', '/org/agents'),
    get(operator, '/ops/organisations/beta/limits'),
    get(operator, '/ops/keys'),
    get(operator, '/ops/settlements'),
    get(operator, '/ops/events?limit=200'),
    get(anybody, '/log/key'),
  ];
}

export async function askAll(stack: Pick<Stack, 'url'>, known: Known): Promise<Answers> {
  const answers: Answers = {};
  for (const { by, method, path, body } of questionsAbout(known)) {
    const headers = known.credentials[by] ?? {};
    const answer = await sendTo(stack.url, method, path, { headers, ...(body === undefined ? {} : { body }) });
    const name = `${method} ${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}, by ${by}`;
    answers[name] = { status: answer.status, body: answer.body };
  }
  return answers;
}
