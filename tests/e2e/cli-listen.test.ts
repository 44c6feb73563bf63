/*
 * Bugs: a listener misses a message or gets those of others; its signature is not the one of a delivery; a broken connection or a failing receiver
 * ends it; it stays behind in the registry.
 * Method: the real command, a receiver that verifies with the official library, and a proxy that cuts connections.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { faultProxy, waitFor } from '@agent-trust/test-kit';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createOrg, gateways, get, join, type Member, type Org, post } from '../support/ask.ts';
import { finished, newUser, type User } from '../support/cli.ts';

let user: User;
let org: Org;
let other: Org;
beforeAll(async () => {
  user = await newUser();
  org = await createOrg();
  other = await createOrg();
});
afterAll(() => user.stop());

const keyOf = ({ key }: Org): Record<string, string> => ({ AGENT_TRUST_ORG_KEY: key['x-api-key'] ?? '' });

it('hands on what happens, signed as a delivery, across broken connections and whatever the receiver answers', async () => {
  const received: { agentId: unknown; id: unknown }[] = [];
  let secret = '';
  let status = 204;
  const receiver = createServer((request, response) => {
    const take = async (): Promise<void> => {
      const body = await text(request);
      const message = new Webhook(secret).verify(body, request.headers as Record<string, string>) as {
        data: { agent_id: unknown };
      };
      received.push({ agentId: message.data.agent_id, id: request.headers['webhook-id'] });
      response.writeHead(status).end();
    };
    take().catch(() => response.writeHead(401).end());
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  onTestFinished(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  const proxy = await faultProxy(gateways[0]);
  onTestFinished(() => proxy.close());

  const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const child = user.start(['listen', '--forward-to', target, '--json', '--url', proxy.url], { env: keyOf(org) });
  const over = finished(child);
  let shown = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
    secret = /"secret":"(whsec_[^"]+)"/u.exec(shown)?.[1] ?? '';
  });
  await waitFor(() => secret !== '', { description: 'the secret' });

  const agents: Member[] = [];
  const reported = (): unknown[] => received.map(({ agentId }) => agentId);
  const arrives = (agentId: string) => waitFor(() => reported().includes(agentId), { description: agentId });
  // The stream may begin a moment after the secret is shown: events from before it are none of its own.
  await waitFor(async () => {
    agents.push(await join(org.key));
    return received.length > 0;
  });
  proxy.cut();
  const second = await join(org.key);
  await arrives(second.agentId);
  status = 500;
  const ofOther = await join(other.key);
  const third = await join(org.key);
  await arrives(third.agentId);
  status = 204;
  const fourth = await join(org.key);
  await arrives(fourth.agentId);
  expect(reported()).not.toContain(ofOther.agentId);
  expect(new Set(received.map(({ id }) => id)).size).toBe(received.length);

  child.kill('SIGINT');
  const { code, stdout } = await over;
  expect(code).toBe(130);
  const lines = stdout
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as { forwarded: { status: number } });
  expect(lines.map(({ forwarded }) => forwarded.status)).toContain(500);
  // Nothing of it is a webhook.
  expect((await get('/org/webhooks', org.key)).list).toEqual([]);
});

it('is refused without the production key, and to too many at one time', async () => {
  expect((await user.run(['listen'])).code).toBe(3);
  expect((await user.run(['listen', '--forward-to', 'nowhere'], { env: keyOf(org) })).code).toBe(2);
  expect((await post('/org/webhooks/listeners', {}, {})).status).toBe(401);
  const { body } = await post('/org/webhooks/listeners', {}, other.key);
  const path = `${gateways[0]}/org/webhooks/listeners/${String(body['listener_id'])}/messages`;
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const open = () => fetch(path, { headers: { ...other.key }, signal: stop.signal });
  const opened = await Promise.all(Array.from({ length: 9 }, open));
  expect(opened.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
    ...Array.from({ length: 8 }, () => 200),
    503,
  ]);
});
