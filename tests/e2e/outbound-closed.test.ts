/**
 * Bug: an agent's endpoint leads into the network of the registry (server-side request forgery), on any path on which the registry contacts
 * addresses chosen by others. Method: a system with OUTBOUND_ALLOW empty, and canaries on IPv4 and IPv6 loopback that count connections.
 * Each spelling of their addresses is registered, then called, paid, queried for keys, and imported from. The unit test of the client covers
 * spellings in general (`packages/safe-fetch/src/target-address.test.ts`).
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import type { Stack } from '@agent-trust/dev-stack';
import { clientKey, signedHeaders } from '@agent-trust/http-signature/testing';
import { runs } from '@agent-trust/test-kit/runs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchangesOf, readWholeLog } from '../chaos/support/raw-log.ts';
import { startCheckedStack } from '../support/checked-stack.ts';
import {
  bearer,
  callBody,
  createOrganisation,
  type Http,
  httpTo,
  type Member,
  orgKey,
  registerAgent,
  textMessage,
  unique,
} from '../support/registry.ts';

/** Hosts that are loopback, or that some resolver or parser takes for loopback. */
const hosts = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.0.1',
  '127.0.0.2',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0x7F.1',
  '0177.0.0.1',
  '017700000001',
  '0177.0x0.1',
  '0',
  '0x0',
  '0.0.0.0',
  '１２７.０.０.１',
  '127。0。0。1',
  '①②⑦.0.0.1',
  '%31%32%37.0.0.1',
  '127.0.0.%31',
  'localhost',
  'localhost.',
  'LOCALHOST',
  'ⓛocalhost',
  'localhost.localdomain',
  'ip6-localhost',
  'a.localhost',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000::0001]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::FFFF:7f00:1]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[::127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[::1%25lo]',
  'user@127.0.0.1',
  'a.test@127.0.0.1',
  'a.test\\@127.0.0.1',
];
/** Of each host; the addresses are judged before TLS, so the small form tries https with every fourth. */
const schemesOf = (index: number): string[] => (index % runs(4, 1) === 0 ? ['http', 'https'] : ['http']);
const origins = hosts.map((host, index) => schemesOf(index).map((scheme) => `${scheme}://${host}`));
const domains = Array.from({ length: 8 }, (_, index) => `closed-${index}.directory.test`);

let stack: Stack;
let http: Http;
let caller: Member;
const canaries: Server[] = [];
let port = 0;
let connections = 0;
let org: { key: string };

beforeAll(async () => {
  const count = (): void => {
    connections += 1;
  };
  const listen = async (host: string, at: number): Promise<number> => {
    const canary = createServer((socket) => {
      count();
      socket.on('error', () => undefined).destroy();
    });
    canary.listen(at, host);
    await once(canary, 'listening');
    canaries.push(canary);
    return (canary.address() as AddressInfo).port;
  };
  port = await listen('127.0.0.1', 0);
  // If the machine has no IPv6, nothing can be reached there.
  await listen('::1', port).catch(() => undefined);
  const bases = [
    '127.0.0.1',
    'localhost',
    '[::1]',
    '2130706433',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
    '127.1',
    'a.localhost',
  ];
  stack = await startCheckedStack({
    ...process.env,
    OUTBOUND_ALLOW: '',
    TRUST_PROXY: '127.0.0.1',
    KEY_DIRECTORY_BASE: bases.map((host, index) => `${domains[index]}=http://${host}:${port}`).join(),
  });
  http = httpTo(stack.url);
  org = await createOrganisation(stack);
  caller = await registerAgent(http, { key: org.key });
});
afterAll(async () => {
  await stack?.stop();
  for (const canary of canaries) canary.close();
});

/** Registers an agent with this endpoint; null if the registry refuses it. */
const agentAt = async (url: string, fields: Record<string, unknown> = {}): Promise<string | null> => {
  const agentId = unique('inside');
  const { status, body } = await http.post(
    '/register',
    { agent_id: agentId, endpoint_url: url, ...fields },
    orgKey(org.key),
  );
  if (status === 422 && body['code'] === 'validation_failed') return null;
  expect({ url, status }).toEqual({ url, status: 201 });
  return agentId;
};

it('the canaries count connections', async () => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'close');
  expect(connections).toBe(1);
  connections = 0;
});

describe('with OUTBOUND_ALLOW empty', () => {
  const reached: string[] = [];
  const ask = async (url: string): Promise<void> => {
    const agentId = await agentAt(url);
    if (agentId === null) return;
    const message = textMessage('hello');
    const streamed = textMessage('hello', 'message/stream');
    const path = `/pay/${encodeURIComponent(agentId)}`;
    const answers = await Promise.all([
      http.post('/call', callBody(caller, agentId, message), bearer(caller.key)),
      http.post('/call', { ...callBody(caller, agentId, message), method: 'GET' }, bearer(caller.key)),
      http.post('/call', callBody(caller, agentId, streamed), bearer(caller.key)),
      http.get(path),
      http.post(path, { pay: 1 }, { 'x-payment': 'eyJ4NDAyVmVyc2lvbiI6MX0=' }),
    ]);
    // Unresolvable names fail and are then not retried; neither reaches a canary.
    for (const { status, body } of answers)
      expect([url, status, body['code']]).toEqual([
        url,
        502,
        expect.stringMatching(/^(downstream_failed|target_unavailable)$/u),
      ]);
    // The ids of requests and exchanges are random, and may have the same digits.
    const said = JSON.stringify(answers.map(({ body }) => body)).replaceAll(/[0-9a-f]+(?:-[0-9a-f]+){4}/gu, '');
    expect(said).not.toContain(String(port));
    if (connections > 0) reached.push(url);
  };

  it(`none of ${origins.flat().length} spellings reaches them through /call or /pay`, async () => {
    for (const some of origins) await Promise.all(some.map((origin) => ask(`${origin}:${port}/`)));
    expect({ connections, reached }).toEqual({ connections: 0, reached: [] });
  });

  it.each([{ message_protocol: 'mcp' }, { message_protocol: 'raw' }, { message_protocol: 'a2a', a2a_compliant: true }])(
    'no agent with %o reaches them',
    async (kind) => {
      const message =
        kind.message_protocol === 'a2a' ? textMessage('x') : { jsonrpc: '2.0', id: 1, method: 'initialize' };
      for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433']) {
        const agentId = await agentAt(`http://${host}:${port}/mcp`, kind);
        if (agentId === null) throw new Error(`${host} is a URL`);
        const { status, body } = await http.post('/call', callBody(caller, agentId, message), bearer(caller.key));
        expect([status, body['code']]).toEqual([502, 'downstream_failed']);
      }
      expect(connections).toBe(0);
    },
  );

  it('/import-agent does not reach them either, and discloses nothing about them', async () => {
    const domains = hosts.flatMap((host) => [host, `${host}:${port}`, `http://${host}:${port}/`]);
    for (const [index, domain] of domains.entries()) {
      // /import-agent has a low rate limit per address.
      const from = { 'x-forwarded-for': `198.51.100.${index}` };
      const { status, body } = await http.post('/import-agent', { domain_url: domain }, from);
      // Names without an address are unreachable; an invalid domain is not resolved at all.
      const refusals = ['422 domain_not_allowed', '422 invalid_domain', '502 domain_unreachable'];
      const refusal = `${status} ${String(body['code'])}`;
      expect([domain, refusal]).toEqual([domain, expect.toBeOneOf(refusals)]);
      expect(JSON.stringify(body['detail'])).not.toMatch(/127|private|loopback|::1/u);
    }
    // The specification distinguishes a name with a private address from an unknown one; the answer has no other detail.
    for (const domain of ['127.0.0.1', 'localhost', 'http://localhost'].map((host) => `${host}:${port}`)) {
      const { status, body } = await http.post(
        '/import-agent',
        { domain_url: domain },
        { 'x-forwarded-for': '203.0.113.1' },
      );
      expect([domain, status, body['code']]).toEqual([domain, 422, 'domain_not_allowed']);
    }
    expect(connections).toBe(0);
  });

  it('nor does a key directory', async () => {
    for (const domain of [...domains, 'localhost', '127.0.0.1', 'a.localhost']) {
      const agentId = unique('signer');
      const fields = { agent_id: agentId, org_domain: domain };
      const registered = await http.post('/register', fields, orgKey((await createOrganisation(stack)).key));
      // An invalid domain is refused.
      if (registered.status === 422) continue;
      expect([domain, registered.status]).toEqual([domain, 201]);
      const key = await clientKey(agentId, Uint8Array.from(randomBytes(32)));
      const text = JSON.stringify({ agent_id: agentId, specialty: 'none' });
      const headers = await signedHeaders(key, `${stack.url}/update`, text, {});
      const { status, body } = await http.post('/update', text, headers);
      expect([domain, status, body['code']]).toEqual([domain, 401, 'invalid_credential']);
    }
    expect(connections).toBe(0);
  });

  it('the record of each call says that the address was not allowed, or that there is no such host', async () => {
    const events = await readWholeLog(stack);
    const reasons = new Set(
      events.filter(({ type }) => type === 'ExchangeFailed').map(({ data }) => JSON.stringify(data['reason'])),
    );
    expect([...reasons].filter((reason) => !['"not_allowed"', '"unreachable"'].includes(reason))).toEqual([]);
    const ends = [...exchangesOf(events).values()].map(({ after }) => after.join());
    expect(new Set(ends)).toEqual(new Set(['ExchangeFailed']));
  });
});
