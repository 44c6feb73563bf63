/**
 * The registry's own A2A card, read by public A2A clients: the client of each version discovers the card and sends a message to the
 * endpoint in it.
 */
import { AgentCard as CardOf10, Role } from '@a2a-js/sdk';
import { ClientFactory as ClientFactory10, DefaultAgentCardResolver } from '@a2a-js/sdk/client';
import { A2AClient as A2AClient02 } from 'a2a-sdk-0.2/client';
import { A2AClient as A2AClient03, ClientFactory as ClientFactory03 } from 'a2a-sdk-0.3/client';
import { describe, expect, inject, it } from 'vitest';

const [url = ''] = inject('stack').urls;
const places = ['/.well-known/agent-card.json', '/.well-known/agent.json'];
const directions = /\/openapi\.json[\s\S]*\/mcp-http\/mcp[\s\S]*POST \/verify/u;
const kinded = {
  kind: 'message' as const,
  role: 'user' as const,
  messageId: 'm1',
  parts: [{ kind: 'text' as const, text: 'How do I find an agent?' }],
};

describe('the registry’s card is readable for the client of', () => {
  it('A2A 0.2, given the path of the card', async () => {
    const client = new A2AClient02(url);
    const card = await client.getAgentCard();
    expect([card.name, card.skills.map(({ id }) => id)]).toEqual([
      'Agent Trust Registry',
      expect.arrayContaining(['verify']),
    ]);
    const answer = await client.sendMessage({ message: kinded });
    expect(answer).toMatchObject({ result: { kind: 'message', role: 'agent' } });
    expect(JSON.stringify(answer)).toMatch(directions);
  });

  it('A2A 0.3, by both of its clients', async () => {
    const older = await A2AClient03.fromCardUrl(`${url}/.well-known/agent-card.json`);
    expect(await older.sendMessage({ message: kinded })).toMatchObject({ result: { kind: 'message' } });
    const client = await new ClientFactory03().createFromUrl(url);
    expect((await client.getAgentCard()).securitySchemes?.['organisation']).toMatchObject({
      type: 'apiKey',
      in: 'header',
    });
    expect(JSON.stringify(await client.sendMessage({ message: kinded }))).toMatch(directions);
    // The card offers no streaming, so the client sends a plain message instead.
    const events: unknown[] = [];
    for await (const event of client.sendMessageStream({ message: kinded })) events.push(event);
    expect(events).toMatchObject([{ kind: 'message' }]);
    await expect(client.getTask({ id: 't1' })).rejects.toThrow('Task not found');
  });

  it('A2A 1.0, with and without its support for older cards', async () => {
    const resolvers = [
      new DefaultAgentCardResolver(),
      new DefaultAgentCardResolver({ legacyCompat: { enabled: true } }),
    ];
    for (const resolver of resolvers) {
      const card = await resolver.resolve(url);
      expect(card.supportedInterfaces[0]).toMatchObject({ protocolBinding: 'JSONRPC', protocolVersion: '1.0' });
      const client = await new ClientFactory10().createFromAgentCard(card);
      const answer = await client.sendMessage({
        tenant: '',
        message: {
          messageId: 'm1',
          contextId: 'c1',
          taskId: '',
          role: Role.ROLE_USER,
          parts: [
            { content: { $case: 'text', value: 'hello' }, metadata: undefined, filename: '', mediaType: 'text/plain' },
          ],
          metadata: undefined,
          extensions: [],
          referenceTaskIds: [],
        },
        configuration: undefined,
        metadata: undefined,
      });
      expect(answer).toMatchObject({ role: Role.ROLE_AGENT, contextId: 'c1' });
      expect(JSON.stringify(answer)).toMatch(directions);
    }
  });

  it('A2A 1.0, whose data model keeps every part of it', async () => {
    const json = (await (await fetch(`${url}${places[0]}`)).json()) as Record<string, unknown>;
    const card = CardOf10.fromJSON(json);
    expect(card.securitySchemes['organisation']?.scheme).toMatchObject({
      $case: 'apiKeySecurityScheme',
      value: { location: 'header', name: 'X-API-KEY' },
    });
    const update = card.skills.find(({ id }) => id === 'updateAgent');
    expect(update?.securityRequirements.map(({ schemes }) => Object.keys(schemes))).toContainEqual(['agent']);
    expect(CardOf10.toJSON(card)).toMatchObject({
      skills: (json['skills'] as { id: string }[]).map(({ id }) => ({ id })),
    });
    expect(card.capabilities?.extensions.map(({ uri }) => uri)).toEqual([`${url}/openapi.json`, `${url}/mcp-http/mcp`]);
  });
});

it('the card is the same at both paths, and If-None-Match gets 304', async () => {
  const [first, second] = await Promise.all(places.map((place) => fetch(`${url}${place}`)));
  const etag = first?.headers.get('etag') ?? '';
  expect([await first?.text(), etag]).toEqual([await second?.text(), second?.headers.get('etag')]);
  expect(first?.headers.get('cache-control')).toContain('max-age=');
  const again = await fetch(`${url}${places[1]}`, { headers: { 'if-none-match': `W/"x", ${etag}` } });
  expect([again.status, await again.text()]).toEqual([304, '']);
});

it('every link in the card leads to an existing resource', async () => {
  const card = CardOf10.fromJSON(await (await fetch(`${url}${places[0]}`)).json());
  const reached = async (link: string): Promise<string> => `${link} ${(await fetch(link)).status}`;
  const [rest, mcp] = card.capabilities?.extensions.map(({ uri }) => uri) ?? [];
  expect(await Promise.all([card.documentationUrl, rest, mcp].map((link) => reached(link ?? '')))).toEqual([
    `${url}/docs 200`,
    `${url}/openapi.json 200`,
    // MCP requires a session, or a client that accepts events.
    expect.stringMatching(/\/mcp-http\/mcp (400|405|406)$/u),
  ]);
});

it('a message that is not JSON-RPC is refused with a reason', async () => {
  const post = (body: unknown): Promise<Response> =>
    fetch(`${url}/a2a`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  expect((await post({ hello: 'world' })).status).toBe(422);
  expect(await (await post({ jsonrpc: '2.0', id: 'x', method: 'tasks/cancel' })).json()).toMatchObject({
    id: 'x',
    error: { code: -32_001 },
  });
});
