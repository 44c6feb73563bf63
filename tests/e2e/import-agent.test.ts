/**
 * Bugs: the preview of an import cannot be registered, or the imported agent cannot be called; a card makes the registry contact, or show, a
 * forbidden address. Method: agents built with the A2A SDK's 0.2, 0.3 and 1.0 lines serve their own cards; the imported agents are
 * registered, called and reviewed. Other servers serve what no SDK would.
 */
import type { RequestListener } from 'node:http';
import { importResponse } from '@agent-trust/contracts';
import { listen, type RunningAgent } from '@agent-trust/dev-stack/demo-agents';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type Answer,
  ask,
  type Body,
  call,
  createOrg,
  freshClient,
  get,
  join,
  type Member,
  post,
  review,
  stack,
} from '../support/ask.ts';
import { cardOf } from '../support/agent-cards.ts';
import { unique } from '../support/registry.ts';
import { startA2a02WithCard, startA2a03WithCard, startA2a10WithCard } from '../support/sdk-agents/with-cards.ts';
import { allEvents } from '../support/secrets-at-rest.ts';

const running: RunningAgent[] = [];
const start = async (agent: Promise<RunningAgent>): Promise<RunningAgent> => {
  running.push(await agent);
  return agent;
};
afterEach(async () => {
  await Promise.all(running.splice(0).map((agent) => agent.stop()));
});

/** The preview shows the endpoint to everybody, because the public card does. */
const importFrom = (domainUrl: string): Promise<Answer> =>
  ask('POST', '/import-agent', { body: { domain_url: domainUrl }, headers: freshClient(), owner: true });
const hello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'message/send',
  params: { message: { role: 'user', parts: [{ kind: 'text', content_type: 'text/plain', content: 'hello' }] } },
};

describe('an agent built with', () => {
  let caller: Member;
  beforeAll(async () => {
    caller = await join((await createOrg()).key);
  });

  it.each([
    ['0.2', startA2a02WithCard, '/.well-known/agent.json', '/'],
    ['0.3', startA2a03WithCard, '/.well-known/agent-card.json', '/a2a'],
    ['1.0', startA2a10WithCard, '/.well-known/agent-card.json', '/a2a'],
  ])('A2A %s is imported, registered, called and reviewed', async (line, startAgent, cardPath, endpointPath) => {
    const agent = await start(startAgent());
    const { host } = new URL(agent.url);
    const { status, body } = await importFrom(host);
    const { preview, missing_fields, note, source_url } = importResponse.parse(body);
    expect([status, source_url, missing_fields]).toEqual([
      200,
      `http://${host}${cardPath}`,
      ['agent_id', 'contact_email'],
    ]);
    expect(preview).toEqual({
      org_name: 'Freight of Tests',
      specialty: 'Quotes freight by road and rail.',
      endpoint_url: `http://${host}${endpointPath}`,
      capabilities: [
        { name: 'quote_imported_freight', weight: 3 },
        { name: 'track_imported_shipments', weight: 2 },
      ],
    });
    expect(note).toContain(`A2A ${line}`);

    // As the note says: the organisation's name is dropped without its key and kept with it.
    const refused = await post('/register', {
      ...preview,
      agent_id: unique('imported'),
      contact_email: 'owner@agent.example',
    });
    expect([refused.status, refused.body['code']]).toEqual([403, 'org_fields_forbidden']);
    const { org_name: _, ...own } = preview;
    const filled = { agent_id: unique('imported'), contact_email: 'owner@agent.example' };
    const imported = await join({}, { ...own, ...filled, a2a_compliant: true });
    const shown = await get(`/agent/${imported.agentId}`);
    expect(shown.body).toMatchObject({
      specialty: own.specialty,
      capabilities: own.capabilities,
      flags: expect.not.arrayContaining(['no_endpoint']),
    });
    const answered = await call(caller, imported.agentId, hello);
    expect([answered.status, answered.body['status_code']]).toEqual([200, 200]);
    expect((await review(caller, imported.agentId)).status).toBe(200);

    const org = await createOrg();
    const ofOrg = await post('/register', { ...preview, agent_id: unique('imported') }, org.key);
    expect([ofOrg.status, ofOrg.body['org_name'], ofOrg.body['verified']]).toEqual([201, org.name, true]);
  });
});

it('an import stores nothing', async () => {
  const name = unique('freight-of-nobody');
  const card = {
    ...cardOf(name, `Carries for ${name}.`),
    provider: { organization: name, url: 'https://nobody.example' },
  };
  const agent = await start(listen((_request, response) => void response.end(JSON.stringify(card))));
  expect((await importFrom(agent.url)).text).toContain(name);
  for await (const { data } of allEvents(stack.eventLogUrl)) expect(JSON.stringify(data)).not.toContain(name);
  const { list } = await post('/match', { org_name: name });
  expect(list).toEqual([]);
});

describe('a card', () => {
  const serve =
    (card: unknown, headers: Record<string, string> = {}): RequestListener =>
    (_request, response) => {
      response.writeHead(200, headers).end(typeof card === 'string' ? card : JSON.stringify(card));
    };
  const importCard = async (card: unknown, headers?: Record<string, string>): Promise<Answer> =>
    importFrom((await start(listen(serve(card, headers)))).url);
  const fieldsOf = ({ body }: Answer): Body => body['preview'] as Body;

  it.each([
    'http://10.0.0.7/a2a',
    'http://169.254.169.254/latest/meta-data/',
    'https://[fd00::1]/',
    'http://user:secret-of-a-card@127.0.0.1/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://a.example\u202e/',
  ])('with the address %j is imported without it', async (url) => {
    const answer = await importCard({ name: 'a', url, skills: [{ id: 'do something odd' }] });
    expect([answer.status, fieldsOf(answer)['endpoint_url']]).toEqual([200, null]);
    expect(answer.body['missing_fields']).toContain('endpoint_url');
    expect(answer.text).not.toMatch(/passwd|secret-of-a-card|meta-data|javascript:|10\.0\.0\.7/u);
  });

  it('with an address beyond ASCII keeps it, and a registration accepts it', async () => {
    const url = 'http://127.0.0.1/größen|{maß}';
    const endpoint = fieldsOf(await importCard({ name: 'a', url }))['endpoint_url'];
    expect(endpoint).toBe(url);
    await join({}, { endpoint_url: endpoint });
  });

  it('with an address on another domain gets a note', async () => {
    const answer = await importCard({ name: 'a', url: 'https://agent.invalid/a2a' });
    expect(fieldsOf(answer)['endpoint_url']).toBe('https://agent.invalid/a2a');
    expect(answer.body['note']).toMatch(/on agent\.invalid, another host than 127\.0\.0\.1[\s\S]*no address now/u);
  });

  it('full of control and invisible characters is cleaned', async () => {
    const answer = await importCard({
      name: '\u001b]0;owned\u0007a',
      description: '\u202eevil\u2066 \u200bwords\u0000',
      provider: { organization: 'A\u00adcme\u001b[2J' },
      skills: [{ id: 'do\u200b-odd \u0007things' }],
    });
    expect(fieldsOf(answer)).toMatchObject({
      org_name: 'Acme[2J',
      specialty: 'evil words',
      capabilities: [{ name: 'do_odd_things', weight: 3 }],
    });
    expect(answer.text).not.toMatch(/\\u00[01]|\\u007f|[\u202e\u2066\u200b\u00ad]/u);
  });

  it.each<[string, unknown, Record<string, string>]>([
    ['has 30,000 skills', { name: 'a', skills: Array.from({ length: 30_000 }, () => 1), url: 'https://a.invalid' }, {}],
    ['has the type of a page', { name: 'a', url: 'https://a.invalid' }, { 'content-type': 'text/html' }],
    ['is deeply nested', `{"name":"a","url":"https://a.invalid","x":${'['.repeat(9_000)}${']'.repeat(9_000)}}`, {}],
  ])('that %s is imported', async (_what, card, headers) => {
    expect((await importCard(card, headers)).status).toBe(200);
  });

  it.each<[string, unknown]>([
    ['is not JSON', '<html>'],
    ['is a list', [{ name: 'a' }]],
    ['is larger than a card may be', { name: 'a', x: 'x'.repeat(300_000), url: 'https://a.invalid' }],
    ['has no end', `{"name":"a","skills":${'['.repeat(100_000)}`],
  ])('that %s is refused', async (_what, card) => {
    const answer = await importCard(card);
    expect([answer.status, answer.body['code']]).toEqual([422, 'agent_card_invalid']);
  });

  it('behind a redirect to a private address is not fetched', async () => {
    const inside = await start(listen(serve({ name: 'inside', url: 'https://a.invalid' })));
    const outside = await start(
      listen((_request, response) => response.writeHead(302, { location: inside.url }).end()),
    );
    const answer = await importFrom(outside.url);
    expect([answer.status, answer.body['code'], inside.requests()]).toEqual([422, 'agent_card_invalid', 0]);
    expect(answer.text).not.toContain(new URL(inside.url).port);
  });
});

it('a domain without a server is 502, an invalid domain 422', async () => {
  const agent = await startA2a02WithCard();
  await agent.stop();
  const gone = await importFrom(agent.url);
  expect([gone.status, gone.body['code']]).toEqual([502, 'domain_unreachable']);
  const none = await importFrom('not a domain');
  expect([none.status, none.body['code']]).toEqual([422, 'invalid_domain']);
  const far = await importFrom('10.0.0.7');
  expect([far.status, far.body['code']]).toEqual([422, 'domain_not_allowed']);
});
