/**
 * Bugs: a request fails because its gateway is replaced behind nginx; a payment or call is sent twice by nginx; a stream arrives only at its end;
 * a client chooses the address that rate limits count for; nginx answers in a form that no client of the registry can read.
 * Method: the configurations of infra/nginx with Debian's nginx, in front of two gateways. Gateways are replaced under load while nginx goes on
 * using both.
 */
import { limits } from '@agent-trust/contracts';
import { certificate } from '@agent-trust/test-kit/loopback-certificate';
import { runs } from '@agent-trust/test-kit/runs';
import { Agent, request } from 'undici';
import { beforeAll, describe, expect, it } from 'vitest';
import { type LoadBalancer, startLoadBalancer, whyNoNginx } from '../support/load-balancer.ts';
import { bearer, callBody, type Member, textMessage, unique } from '../support/registry.ts';
import { type ChaosRegistry, startChaosRegistry } from './support/chaos-registry.ts';
import { untilHealthy } from './support/invariants.ts';
import { answerText } from './support/recording-agent.ts';
import { waitFor } from './support/wait-for.ts';

const registrationsPerMinute = 3;
const callersAtOnce = 12;
/** Calls that must be answered between two replacements. */
const answersBetween = runs(60, 300);
const rounds = runs(2, 10);

const missing = await whyNoNginx();
if (missing !== null) process.stderr.write(`skipped: ${missing}\n`);

type Sent = { status: number; body: Record<string, unknown>; text: string; headers: Record<string, unknown> };

describe.skipIf(missing !== null)('nginx in front of two gateways', () => {
  let registry: ChaosRegistry<'receiver' | 'streaming'>;
  let nginx: LoadBalancer;
  let caller: Member;
  const confirmed = { events: 0 };

  beforeAll(async () => {
    registry = await startChaosRegistry({
      env: {
        GATEWAYS: '2',
        TRUST_PROXY: '127.0.0.1',
        REGISTRATIONS_PER_MINUTE: String(registrationsPerMinute),
      },
      agents: {
        receiver: answerText,
        // Sends an event only after the caller has received the one before.
        streaming: async ({ response }) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          for (let count = 1; count <= 3; count += 1) {
            response.write(`data: ${count}\n\n`);
            await waitFor(() => confirmed.events >= count, { description: `the caller to have event ${count}` });
          }
          response.end();
        },
      },
    });
    caller = registry.callers[0] as Member;
    nginx = await startLoadBalancer('nginx.conf', registry.stack.urls);
    return async () => {
      await nginx.stop();
      await registry.stop();
    };
  });

  const agents = new Map<string, Agent>();
  /** A client with an address of its own. */
  const clientAt = (localAddress: string): Agent => {
    const agent =
      agents.get(localAddress) ??
      new Agent({ localAddress, connect: { ca: certificate, checkServerIdentity: () => undefined } });
    agents.set(localAddress, agent);
    return agent;
  };
  const send = async (
    method: 'GET' | 'POST',
    path: string,
    options: { body?: unknown; headers?: Record<string, string>; from?: string; url?: string } = {},
  ): Promise<Sent> => {
    const { body, headers = {}, from = '127.0.0.1', url = nginx.httpsUrl } = options;
    const answer = await request(`${url}${path}`, {
      method,
      dispatcher: clientAt(from),
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    const isJson = String(answer.headers['content-type']).startsWith('application/json');
    return {
      status: answer.statusCode,
      body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
      text,
      headers: answer.headers,
    };
  };

  it('answers by TLS, and redirects what comes without', async () => {
    expect(await send('GET', '/health')).toMatchObject({ status: 200, body: { status: 'ok' } });
    const plain = await send('POST', '/verify?a=1', { url: nginx.httpUrl, body: {} });
    expect([plain.status, plain.headers['location']]).toEqual([308, 'https://127.0.0.1/verify?a=1']);
  });

  it('counts registrations for the address of the client, whatever the client says of itself', async () => {
    const register = (from: string, headers: Record<string, string> = {}): Promise<Sent> =>
      send('POST', '/register', {
        from,
        headers,
        body: { agent_id: unique('registered'), contact_email: 'owner@agent.example' },
      });
    const spoofed = ['203.0.113.1', '203.0.113.2, 203.0.113.3', '127.0.0.1'];
    const statuses: number[] = [];
    for (const address of spoofed) {
      const headers = { 'x-forwarded-for': address, forwarded: `for=${address}`, 'x-real-ip': address };
      statuses.push((await register('127.0.0.2', headers)).status);
    }
    expect(statuses).toEqual([201, 201, 201]);
    const refused = await register('127.0.0.2', { 'x-forwarded-for': '203.0.113.4' });
    expect([refused.status, refused.body['code']]).toEqual([429, 'rate_limited']);
    expect((await register('127.0.0.3', { 'x-forwarded-for': '127.0.0.2' })).status).toBe(201);
  });

  it('does not take a host from a client that a forwarded header names', async () => {
    const answer = await send('GET', '/registry', { headers: { 'x-forwarded-host': 'evil.example' } });
    expect(answer.status).toBe(200);
    const other = await send('GET', '/registry', { headers: { host: 'evil.example' } });
    expect([other.status, other.body['code']]).toEqual([421, 'unknown_host']);
  });

  it('passes each event of a stream on before the next one is sent', async () => {
    const { agentId } = registry.agents.streaming;
    const answer = await request(`${nginx.httpsUrl}/call`, {
      method: 'POST',
      dispatcher: clientAt('127.0.0.1'),
      headers: { 'content-type': 'application/json', ...bearer(caller.key) },
      body: JSON.stringify(callBody(caller, agentId, textMessage('go', 'message/stream'))),
    });
    expect(answer.statusCode).toBe(200);
    let received = '';
    for await (const chunk of answer.body) {
      received += String(chunk);
      confirmed.events = received.split('data: ').length - 1;
    }
    expect(received).toBe('data: 1\n\ndata: 2\n\ndata: 3\n\n');
  });

  it('follows events, and serves an MCP stream, without waiting for their end', async () => {
    for (const [path, headers] of [
      ['/ops/events?follow=true', bearer(registry.stack.adminToken)],
      ['/mcp/sse', { accept: 'text/event-stream' }],
    ] as const) {
      const leaving = new AbortController();
      const dispatcher = clientAt('127.0.0.1');
      const answer = await request(`${nginx.httpsUrl}${path}`, { headers, dispatcher, signal: leaving.signal });
      expect([path, answer.statusCode]).toEqual([path, 200]);
      for await (const chunk of answer.body) {
        expect(String(chunk)).not.toBe('');
        break;
      }
      leaving.abort();
    }
  });

  it('lets the gateway refuse a body that is too long, and refuses a longer one in the same form', async () => {
    for (const bytes of [limits.callBodyBytesMax + 1_024, 13 * 1024 * 1024]) {
      const body = callBody(caller, registry.agents.receiver.agentId, textMessage('x'.repeat(bytes)));
      const answer = await send('POST', '/call', { body, headers: bearer(caller.key) });
      expect(answer).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
      expect(answer.body['request_id']).toBe(answer.headers['x-request-id']);
    }
  });

  it('fails no call while each gateway is replaced in turn, and makes none twice', async () => {
    const { stack } = registry;
    const { receiver } = registry.agents;
    await untilHealthy(stack);
    const outcomes: { mark: string; status: number | null; what: string }[] = [];
    let isStopping = false;
    const loops = Array.from({ length: callersAtOnce }, async () => {
      while (!isStopping) {
        const mark = unique('balanced');
        const body = callBody(caller, receiver.agentId, textMessage(mark));
        const outcome = await send('POST', '/call', { body, headers: bearer(caller.key) }).then(
          ({ status, text }) => ({ mark, status, what: status === 200 ? '' : text }),
          (error: unknown) => ({ mark, status: null, what: String(error) }),
        );
        outcomes.push(outcome);
      }
    });
    const untilAnswered = async (): Promise<void> => {
      const wanted = outcomes.length + answersBetween;
      await waitFor(() => outcomes.length >= wanted, { description: 'more answers' });
    };
    /** How many requests nginx says that this gateway, and no other before it, has answered well. */
    const answeredBy = (url = ''): number =>
      nginx
        .output()
        .split('\n')
        .filter((line) => line.includes('"status":200,') && line.includes(`"gateway":"${new URL(url).host}"`)).length;
    const names = ['gateway', 'gateway-2'];
    for (const [index, name] of Array.from({ length: rounds }, () => names.entries().toArray()).flat()) {
      await untilAnswered();
      const restarts = stack.restartCount(name);
      stack.kill(name, 'SIGTERM');
      await waitFor(() => stack.restartCount(name) > restarts && stack.isReady(), {
        description: `${name} to be replaced`,
      });
      // nginx has noticed that it is back; whatever replaces instances waits longer than that takes (minReadySeconds).
      const before = answeredBy(stack.urls[index]);
      await waitFor(() => answeredBy(stack.urls[index]) > before, {
        intervalMs: 100,
        description: `nginx to send requests to ${name} again`,
      });
    }
    await untilAnswered();
    isStopping = true;
    await Promise.all(loops);
    const failed = outcomes.filter(({ status }) => status !== 200);
    const why =
      failed.length === 0
        ? ''
        : nginx
            .output()
            .match(/^.*\[error\].*$/gmu)
            ?.slice(-3)
            .join('\n');
    expect(failed.slice(0, 3), `${failed.length} of ${outcomes.length} failed\n${why}`).toEqual([]);
    expect(outcomes.filter(({ mark }) => receiver.seen.get(mark) !== 1)).toEqual([]);
  });

  it('says in the form of the registry that no gateway answers, and writes no claim token', async () => {
    await nginx.stop();
    const nobody = ['http://127.0.0.1:1', 'http://127.0.0.1:2'];
    const balancer = await startLoadBalancer('nginx.conf', nobody);
    try {
      const answer = await send('GET', '/rotate?claim_token=secret-of-a-link', { url: balancer.httpsUrl });
      expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
      expect(answer.headers['retry-after']).toBe('2');
      await waitFor(() => balancer.output().includes('"path":"/rotate"'));
      expect(
        balancer
          .output()
          .split('\n')
          .filter((line) => line.startsWith('{'))
          .join(),
      ).not.toContain('secret-of-a-link');
    } finally {
      await balancer.stop();
    }
  });

  it('works without TLS in the form of docker-compose.yml', async () => {
    const balancer = await startLoadBalancer('compose.conf', registry.stack.urls);
    try {
      const body = callBody(caller, registry.agents.receiver.agentId);
      const answer = await send('POST', '/call', { url: balancer.httpUrl, body, headers: bearer(caller.key) });
      expect(answer.status).toBe(200);
    } finally {
      await balancer.stop();
    }
  });
});
