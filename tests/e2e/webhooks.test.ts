/**
 * Webhooks in the whole system, with an https consumer that verifies with the official library of Standard Webhooks. Bugs: a change is lost,
 * or sent out of order or to the wrong organisation; a notice of a block or of a lost domain is not sent, or to somebody else; a signature that other implementations reject; a broken consumer delays others, or a
 * forbidden address is contacted.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limits } from '@agent-trust/contracts';
import type { Stack } from '@agent-trust/dev-stack';
import { type EventLog, openEventLog } from '@agent-trust/event-log';
import { waitFor } from '@agent-trust/test-kit';
import { certificate } from '@agent-trust/test-kit/loopback-certificate';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startCheckedStack } from '../support/checked-stack.ts';
import { appendStreams } from '../support/history.ts';
import { createOrganisation, type Http, httpTo, orgKey, registerAgent, unique } from '../support/registry.ts';
import { makeAgents, makeReviews } from '../support/score-changes.ts';
import { findSecrets } from '../support/secrets-at-rest.ts';
import { served } from '../support/served.ts';
import { type Received, startWebhookConsumer, type WebhookConsumer } from '../support/webhook-consumer.ts';

const attemptsMax = 3;
/** Also for a consumer in a busy process: an answer that is late makes another attempt. */
const answerMs = 10_000;

let folder: string;
let stack: Stack;
let http: Http;
let log: EventLog;
let consumer: WebhookConsumer;
const secrets = new Map<string, string>();
const reviewerIds = Array.from({ length: 30 }, () => unique('reviewer'));

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'webhooks-'));
  writeFileSync(join(folder, 'consumer.crt'), certificate);
  consumer = await startWebhookConsumer((path) => secrets.get(path));
  stack = await startCheckedStack({
    ...process.env,
    NODE_EXTRA_CA_CERTS: join(folder, 'consumer.crt'),
    // The consumer's address, and a range of loopback without servers; no other private address.
    OUTBOUND_ALLOW: 'localhost,127.1.0.0/16',
    WEBHOOK_ATTEMPTS_MAX: String(attemptsMax),
    WEBHOOK_RETRY_FIRST_MS: '20',
    WEBHOOK_RETRY_LONGEST_MS: '50',
    WEBHOOK_ANSWER_MS: String(answerMs),
    LOG_LEVEL: 'trace',
  });
  http = httpTo(stack.url);
  log = await openEventLog(stack.postgresUrl ?? '', { applicationName: 'webhooks' });
  await appendStreams(log, makeAgents({ agentIds: reviewerIds, organisation: null }));
});
afterEach(() => consumer.answerWith((response) => response.writeHead(204).end()));
afterAll(async () => {
  await log?.close();
  await stack?.stop();
  consumer?.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Organisation = Awaited<ReturnType<typeof createOrganisation>>;
type Hook = { id: string; path: string; secret: string };

const hook = async (organisation: Organisation, fields: Record<string, unknown> = {}): Promise<Hook> => {
  const path = `/${unique('hook')}`;
  const { status, body } = await http.post(
    '/org/webhooks',
    { url: `${consumer.url}${path}`, ...fields },
    orgKey(organisation.key),
  );
  expect([status, body]).toEqual([201, expect.objectContaining({ secret: expect.stringMatching(/^whsec_/u) })]);
  secrets.set(path, String(body['secret']));
  return { id: String(body['webhook_id']), path, secret: String(body['secret']) };
};
const get = (organisation: Organisation, { id }: Hook, more = '') =>
  http.get(`/org/webhooks/${id}${more}`, orgKey(organisation.key));
const received = ({ path }: Hook): Received[] => consumer.received.filter((one) => one.path === path);
/** Reviews agents. */
const changes = async (agentIds: string[], count: number): Promise<void> => {
  const prefix = unique('reviews');
  await appendStreams(log, makeReviews({ seed: 7, count, prefix, agentIds, reviewerIds }));
};
/** The registry's own history of an agent's score, oldest first. */
const historyOf = async (agentId: string): Promise<unknown[]> => {
  const { body } = await http.get(`/agent/${agentId}/trust/history?limit=200`);
  return body['history'] as unknown[];
};
/**
 * Waits until a webhook has delivered all changes of these agents that are in the log by now.
 * @param fromStart whether it also reports with which score each of them began, as after a replay from the start of the log
 */
const delivered = async (
  organisation: Organisation,
  agentIds: string[],
  reported: Hook,
  fromStart = false,
): Promise<void> => {
  // A write is answered when the read models show it, and with it everything before it.
  await createOrganisation(stack);
  const lengths = await Promise.all(agentIds.map(async (agentId) => (await historyOf(agentId)).length));
  const count = lengths.reduce((sum, length) => sum + length - (fromStart ? 0 : 1), 0);
  await waitFor(
    async () => {
      const { body } = await get(organisation, reported);
      return body['pending'] === 0 && new Set(received(reported).map(({ id }) => id)).size >= count;
    },
    { description: `${count} changes to be delivered` },
  );
};
const organisationWith = async (agents: number): Promise<{ organisation: Organisation; agentIds: string[] }> => {
  const organisation = await createOrganisation(stack);
  const registered = await Promise.all(
    Array.from({ length: agents }, () => registerAgent(http, { key: organisation.key })),
  );
  return { organisation, agentIds: registered.map(({ agentId }) => agentId) };
};

describe('a webhook', () => {
  it("gets every change of its own organisation's agents, in order, as in the history, and no other", async () => {
    const other = await organisationWith(1);
    const { organisation, agentIds } = await organisationWith(3);
    const own = await hook(organisation);
    await http.post(`/org/webhooks/${own.id}/replay`, { from_position: '0' }, orgKey(organisation.key));
    await changes([...agentIds, ...other.agentIds], 60);
    await delivered(organisation, agentIds, own, true);
    expect(received(own).length).toBeGreaterThan(20);
    for (const agentId of agentIds) {
      const reported = received(own).filter(({ message }) => message.data.agent_id === agentId);
      expect(
        reported.map(({ message: { timestamp, data } }) => ({
          at: timestamp,
          position: data.position,
          trust_score: data.trust_score,
          previous_score: data.previous_score,
          trust_policy: data.trust_policy,
          cause: data.cause,
        })),
      ).toEqual(await historyOf(agentId));
    }
    expect(new Set(received(own).map(({ message }) => message.data.agent_id))).toEqual(new Set(agentIds));
    expect(new Set(received(own).map(({ id }) => id)).size).toBe(received(own).length);
  });

  it('gets the changes of the agents that it names, of any organisation, and none after its deletion', async () => {
    const { agentIds } = await organisationWith(2);
    const [named = '', unnamed = ''] = agentIds;
    const { organisation } = await organisationWith(0);
    const own = await hook(organisation, { agent_ids: [named, named] });
    expect((await get(organisation, own)).body['agent_ids']).toEqual([named]);
    await changes([named, unnamed], 20);
    // What is under way when a webhook is deleted may still arrive.
    await delivered(organisation, [named], own);
    expect(received(own).length).toBeGreaterThan(2);
    expect(new Set(received(own).map(({ message }) => message.data.agent_id))).toEqual(new Set([named]));

    expect((await http.send('DELETE', `/org/webhooks/${own.id}`, undefined, orgKey(organisation.key))).status).toBe(
      200,
    );
    expect((await get(organisation, own)).status).toBe(404);
    const second = await hook(organisation, { agent_ids: [named] });
    const before = received(own).length;
    await changes([named], 20);
    await waitFor(() => Promise.resolve(received(second).length > 2));
    expect(received(own).length).toBe(before);
  });

  it('gets missed changes from a position on, under the same ids', async () => {
    const { organisation, agentIds } = await organisationWith(1);
    const own = await hook(organisation);
    await changes(agentIds, 10);
    await delivered(organisation, agentIds, own);
    expect(received(own).length).toBeGreaterThan(2);
    const first = received(own).map(({ id }) => id);
    const from = received(own)[1]?.message.data.position ?? '';
    const { status } = await http.post(
      `/org/webhooks/${own.id}/replay`,
      { from_position: from },
      orgKey(organisation.key),
    );
    expect(status).toBe(200);
    await waitFor(() => Promise.resolve(received(own).length >= first.length + first.length - 1));
    expect(received(own).map(({ id }) => id)).toEqual([...first, ...first.slice(1)]);
  });
});

describe('a notice', () => {
  it('of blocks and of a lost domain reaches the organisation that they concern, and a replay sends it again', async () => {
    const { organisation, agentIds } = await organisationWith(1);
    const [agentId = ''] = agentIds;
    const domain = `${unique('d')}.example`.toLowerCase();
    const squatter = await registerAgent(http, { key: organisation.key, fields: { org_domain: domain } });
    const prover = await organisationWith(1);
    const own = await hook(organisation);
    const named = await hook(prover.organisation, { agent_ids: [agentId, squatter.agentId] });
    const operator = { authorization: `Bearer ${stack.adminToken}` };
    const ops = async (path: string, body: Record<string, unknown>): Promise<void> => {
      const { status, body: answer } = await http.post(`/ops/${path}`, body, operator);
      expect([status, answer]).toEqual([200, answer]);
    };
    await ops(`agents/${agentId}/suspend`, { reason: 'abuse' });
    await ops(`agents/${agentId}/reinstate`, { reason: 'mended' });
    await ops(`domains/${domain}/vouch`, { org_name: prover.organisation.name, reason: 'known' });
    await waitFor(() => Promise.resolve(received(own).length >= 3));
    expect((await http.post('/retire', { agent_id: agentId }, orgKey(organisation.key))).status).toBe(200);
    await ops(`organisations/${encodeURIComponent(organisation.name)}/disable`, { reason: 'fraud' });
    await waitFor(() => Promise.resolve(received(own).length >= 5));
    await ops(`organisations/${encodeURIComponent(organisation.name)}/enable`, { reason: 'clear' });
    await waitFor(async () => (await get(organisation, own)).body['pending'] === 0 && received(own).length >= 6);

    const noticesOf = (agent: string | null): unknown[] =>
      received(own)
        .filter(({ message }) => message.data.agent_id === agent)
        .map(({ message: { type, data } }) => [type, data.org_domain, data.reason, data.cause.type]);
    expect(noticesOf(agentId)).toEqual([
      ['agent.suspended', null, 'abuse', 'AgentSuspended'],
      ['agent.reinstated', null, 'mended', 'AgentReinstated'],
      ['agent.retired', null, null, 'AgentRetired'],
    ]);
    expect(noticesOf(squatter.agentId)).toEqual([['org_domain.yielded', domain, null, 'OrgDomainYielded']]);
    expect(noticesOf(null)).toEqual([
      ['organisation.disabled', null, 'fraud', 'OrganisationDisabled'],
      ['organisation.enabled', null, 'clear', 'OrganisationEnabled'],
    ]);
    expect(received(own)).toHaveLength(6);

    const first = new Set(received(own).map(({ id }) => id));
    await http.post(`/org/webhooks/${own.id}/replay`, { from_position: '0' }, orgKey(organisation.key));
    // The beginnings of two scores, too.
    await waitFor(() => Promise.resolve(received(own).length >= 14));
    expect(new Set(received(own).map(({ id }) => id)).size).toBe(8);
    expect(
      received(own)
        .slice(6)
        .filter(({ id }) => first.has(id)),
    ).toHaveLength(6);
    expect(received(named)).toEqual([]);
  });

  it('that is refused is listed without a score, and becomes a dead letter', async () => {
    const { organisation, agentIds } = await organisationWith(1);
    const own = await hook(organisation);
    consumer.answerWith((response, { path }) => response.writeHead(path === own.path ? 500 : 204).end());
    await http.post('/retire', { agent_id: agentIds[0] }, orgKey(organisation.key));
    await waitFor(async () => (await get(organisation, own)).body['dead_letters'] === 1);
    expect((await get(organisation, own, '/deliveries')).body).toEqual([
      expect.objectContaining({
        type: 'agent.retired',
        status: 'dead',
        agent_id: agentIds[0],
        trust_score: null,
        previous_score: null,
      }),
    ]);
    expect(received(own).map(({ message }) => message.type)).toEqual(Array(attemptsMax).fill('agent.retired'));
  });
});

describe('a consumer', () => {
  it('that refuses a message gets it again under its id, and then the next; the refused message becomes a dead letter', async () => {
    const { organisation, agentIds } = await organisationWith(1);
    const own = await hook(organisation);
    let refused = '';
    consumer.answerWith((response, { id, path }) => {
      if (path === own.path && refused === '') refused = id;
      response.writeHead(id === refused ? 500 : 200).end();
    });
    await changes(agentIds, 10);
    await waitFor(() => Promise.resolve(received(own).length > attemptsMax + 2));
    const ids = received(own).map(({ id }) => id);
    expect(ids.slice(0, attemptsMax + 1)).toEqual([
      ...Array.from({ length: attemptsMax }, () => refused),
      ids[attemptsMax],
    ]);
    expect(ids.lastIndexOf(refused)).toBe(attemptsMax - 1);
    const dead = await get(organisation, own, '/deliveries?status=dead');
    expect(dead.body).toEqual([
      expect.objectContaining({
        webhook_message_id: refused,
        status: 'dead',
        attempts: attemptsMax,
        last_failure: 'status_500',
        next_attempt_at: null,
      }),
    ]);
    expect((await get(organisation, own)).body).toMatchObject({
      dead_letters: 1,
      last_failure: { reason: 'status_500' },
    });
    // Each that was taken, the newest first, and none that was refused.
    const delivered = await waitFor(async () => {
      const answer = await get(organisation, own, '/deliveries?status=delivered');
      const taken = new Set(received(own).map(({ id }) => id));
      return answer.list.length === taken.size - 1 ? answer : null;
    });
    for (const one of delivered.list) {
      expect(received(own).map(({ id }) => id)).toContain(one['webhook_message_id']);
      expect(one).toMatchObject({ status: 'delivered', delivered_at: expect.any(String), next_attempt_at: null });
      expect(one['webhook_message_id']).not.toBe(refused);
    }
    const times = delivered.list.map(({ delivered_at: at }) => String(at));
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it('is retried after the time that its Retry-After gives', async () => {
    const { organisation, agentIds } = await organisationWith(1);
    const own = await hook(organisation);
    const times: number[] = [];
    consumer.answerWith((response, { path }) => {
      if (path !== own.path) return void response.writeHead(200).end();
      times.push(Date.now());
      if (times.length === 1) response.writeHead(503, { 'retry-after': '1' }).end();
      else response.writeHead(200).end();
    });
    await changes(agentIds, 10);
    await waitFor(() => Promise.resolve(times.length > 1));
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(900);
  });

  it('that answers 410 gets nothing more until a replay', async () => {
    const { organisation, agentIds } = await organisationWith(1);
    const own = await hook(organisation);
    consumer.answerWith((response) => response.writeHead(410).end());
    await changes(agentIds, 10);
    await waitFor(async () => (await get(organisation, own)).body['status'] === 'disabled');
    const { body } = await get(organisation, own);
    expect(body).toMatchObject({ pending: 0, resume_from: received(own)[0]?.message.data.position });
    expect(received(own)).toHaveLength(1);
    consumer.answerWith((response) => response.writeHead(204).end());
    const from = { from_position: body['resume_from'] };
    expect((await http.post(`/org/webhooks/${own.id}/replay`, from, orgKey(organisation.key))).status).toBe(200);
    await waitFor(() => Promise.resolve(received(own).length > 3));
    expect(received(own)[1]?.id).toBe(received(own)[0]?.id);
    expect((await get(organisation, own)).body['status']).toBe('active');
  });

  it.each<[string, Parameters<WebhookConsumer['answerWith']>[0], string]>([
    ['redirects', (response) => response.writeHead(307, { location: '/elsewhere' }).end(), 'status_307'],
    ['never answers', () => undefined, 'headers_timeout'],
    ['breaks off', (response) => response.destroy(), 'connection_failed'],
  ])('that %s causes a failed attempt, and delays no other consumer', async (_what, answer, reason) => {
    const broken = await organisationWith(12);
    const well = await organisationWith(1);
    const brokenHook = await hook(broken.organisation);
    const wellHook = await hook(well.organisation);
    consumer.answerWith((response, one) => {
      if (one.path === brokenHook.path) answer(response, one);
      else response.writeHead(204).end();
    });
    await changes(broken.agentIds, 60);
    await waitFor(() => Promise.resolve(received(brokenHook).length > 0));
    await changes(well.agentIds, 10);
    await waitFor(
      async () => (await get(well.organisation, wellHook)).body['pending'] === 0 && received(wellHook).length > 2,
      // Far below the time that the broken consumer may take for a single answer, times its twelve agents.
      { timeoutMs: 9 * answerMs, description: 'the other consumer to have its messages' },
    );
    await waitFor(async () => (await get(broken.organisation, brokenHook)).body['last_failure'] !== null);
    expect((await get(broken.organisation, brokenHook)).body['last_failure']).toMatchObject({
      reason: expect.stringMatching(new RegExp(`^(${reason}|total_timeout)$`, 'u')),
    });
    await http.send('DELETE', `/org/webhooks/${brokenHook.id}`, undefined, orgKey(broken.organisation.key));
  });

  it.each<[string, Parameters<WebhookConsumer['answerWith']>[0]]>([
    ['huge', (response) => response.writeHead(200, { 'content-length': String(2 ** 40) }).write('x'.repeat(1_000_000))],
    ['endless', (response) => response.writeHead(200).write('drop by drop')],
  ])('that returns a 2xx has received the message, although its answer is %s', async (_what, answer) => {
    const { organisation, agentIds } = await organisationWith(1);
    const own = await hook(organisation);
    consumer.answerWith(answer);
    await changes(agentIds, 5);
    await waitFor(async () => (await get(organisation, own)).body['last_delivered_at'] !== null);
    expect((await get(organisation, own)).body['last_failure']).toBeNull();
  });
});

describe('a registration is refused', () => {
  it.each([
    ['http', 'http://hooks.example/'],
    ['credentials', 'https://user:password@hooks.example/'],
    ['a fragment', 'https://hooks.example/#there'],
    ['an invalid URL', 'hooks.example'],
  ])('with %s', async (_what, url) => {
    const { organisation } = await organisationWith(0);
    const { status, body } = await http.post('/org/webhooks', { url }, orgKey(organisation.key));
    expect([status, body['code']]).toEqual([422, 'validation_failed']);
  });

  it.each([
    ['a private address', 'https://10.0.0.1/'],
    ['loopback', 'https://127.0.0.2/'],
    ['the metadata service', 'https://169.254.169.254/'],
    ['a name without address', 'https://nobody.invalid/'],
  ])('with %s', async (_what, url) => {
    const { organisation } = await organisationWith(0);
    const { status, body } = await http.post('/org/webhooks', { url }, orgKey(organisation.key));
    expect([status, body['code']]).toEqual([422, 'webhook_url_not_allowed']);
  });

  it('with a sandbox key, without a key, and for agents that are not in production', async () => {
    const { organisation } = await organisationWith(0);
    const draft = await registerAgent(http, { key: organisation.sandboxKey });
    const url = `${consumer.url}/`;
    const answers = await Promise.all([
      http.post('/org/webhooks', { url }, orgKey(organisation.sandboxKey)),
      http.post('/org/webhooks', { url }),
      http.post('/org/webhooks', { url, agent_ids: [draft.agentId] }, orgKey(organisation.key)),
      http.post('/org/webhooks', { url, agent_ids: [unique('nobody')] }, orgKey(organisation.key)),
    ]);
    expect(answers.map(({ status, body }) => [status, body['code']])).toEqual([
      [401, 'invalid_api_key'],
      [401, 'credential_required'],
      [404, 'agent_not_found'],
      [404, 'agent_not_found'],
    ]);
  });

  it('beyond the limit of an organisation, however many requests arrive at once', async () => {
    const { organisation } = await organisationWith(0);
    const answers = await Promise.all(
      Array.from({ length: limits.webhooksPerOrgMax + 5 }, () =>
        served(() => http.post('/org/webhooks', { url: `${consumer.url}/` }, orgKey(organisation.key))),
      ),
    );
    const taken = answers.filter(({ status }) => status === 201);
    expect(taken).toHaveLength(limits.webhooksPerOrgMax);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(({ body }) => body['code'])).toEqual(refused.map(() => 'webhook_limit_reached'));
  });
});

it('is invisible to another organisation', async () => {
  const { organisation } = await organisationWith(0);
  const { organisation: outsider } = await organisationWith(0);
  const own = await hook(organisation);
  const answers = await Promise.all([
    get(outsider, own),
    get(outsider, own, '/deliveries'),
    get(outsider, own, '/deliveries?status=delivered'),
    get(outsider, own, '/secret'),
    http.send('DELETE', `/org/webhooks/${own.id}`, undefined, orgKey(outsider.key)),
    http.post(`/org/webhooks/${own.id}/replay`, { from_position: '0' }, orgKey(outsider.key)),
  ]);
  expect(answers.map(({ status, body }) => [status, body['code']])).toEqual(
    answers.map(() => [404, 'webhook_not_found']),
  );
  expect((await http.get('/org/webhooks', orgKey(outsider.key))).body).toEqual([]);
  expect((await get(organisation, own)).status).toBe(200);
});

it('is received by the receiver of docs/webhooks.md', async () => {
  const document = readFileSync(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8');
  const receiver = /```js\n(.*?)\n```/su.exec(document)?.[1] ?? '';
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  // The receiver prints its port, because it may use any.
  const started = spawn(
    process.execPath,
    ['--input-type=module', '-e', receiver.replace('?? 3000)', ', function () { console.log(this.address().port) })')],
    { cwd: join(import.meta.dirname, '..'), env: { WEBHOOK_CONSUMER_SECRET: secret, PORT: '0' } },
  );
  let output = '';
  started.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  try {
    const port = await waitFor(() => /^\d+/u.exec(output)?.[0]);
    const body = JSON.stringify({
      type: 'trust_score.changed',
      data: { agent_id: 'acme', previous_score: 76, trust_score: 77 },
    });
    const sentAt = new Date();
    const send = async (id: string, signedAs: string): Promise<number> => {
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
        'webhook-signature': new Webhook(secret).sign(signedAs, sentAt, body),
      };
      return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
    };
    expect([await send('msg_1', 'msg_1'), await send('msg_1', 'msg_1'), await send('msg_2', 'msg_1')]).toEqual([
      204, 204, 401,
    ]);
    await waitFor(() => output.includes('acme: 76 -> 77'));
    expect(output.split('acme:')).toHaveLength(2);
  } finally {
    started.kill('SIGKILL');
  }
});

it('leaves its secret nowhere at rest', async () => {
  const { organisation, agentIds } = await organisationWith(1);
  const own = await hook(organisation);
  await changes(agentIds, 5);
  await waitFor(() => Promise.resolve(received(own).length > 0));
  const found = await findSecrets(
    {
      logsFolder: join(stack.dataDir, 'logs'),
      eventLogUrl: stack.environment['EVENT_LOG_URL'] ?? '',
      readModelsUrl: stack.environment['DATABASE_URL'] ?? '',
      adminKey: stack.adminKey,
      adminToken: stack.adminToken,
    },
    [...secrets.values()],
  );
  expect(found).toEqual([]);
});

it('cannot be replayed from a future position', async () => {
  const { organisation } = await organisationWith(0);
  const own = await hook(organisation);
  const { status, body } = await http.post(
    `/org/webhooks/${own.id}/replay`,
    { from_position: '999999999999999999' },
    orgKey(organisation.key),
  );
  expect([status, body['detail']]).toEqual([422, [expect.objectContaining({ loc: ['body', 'from_position'] })]]);
});
