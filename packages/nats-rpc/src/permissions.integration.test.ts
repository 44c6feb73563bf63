import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type NatsServer, startNatsServer } from '@agent-trust/embedded-servers';
import { waitFor } from '@agent-trust/test-kit';
import type { Rpc } from './rpc-types.ts';
import { bytesMethod, connectPeer, echoMethod } from './test-peers.ts';

/** The real infra/nats/nats.conf on a real server: each permission with an allowed and a forbidden operation. */
const configFile = join(import.meta.dirname, '..', '..', '..', 'infra', 'nats', 'nats.conf');
const services = ['gateway', 'registry-write', 'trust-projection', 'call-proxy', 'pay-proxy'] as const;
type Service = (typeof services)[number];

const variable = (service: string): string => `NATS_${service.toUpperCase().replaceAll('-', '_')}_PASSWORD`;

// Each password starts like another kind of value of the configuration language: a number, a size, a float, a negative, a boolean.
const passwordStarts = ['1e5', '12k', '0x', '-a', 'true'];
const passwords = Object.fromEntries(
  services.map((service, index) => [service, `${passwordStarts[index]}${randomBytes(32).toString('base64url')}`]),
) as Record<Service, string>;

const env = Object.fromEntries(services.map((service) => [variable(service), `"${passwords[service]}"`]));
let server: NatsServer;
beforeAll(async () => {
  server = await startNatsServer({ configFile, env });
});
afterAll(() => server.stop());

const urlOf = (service: Service, password = passwords[service]): string =>
  server.url.replace('nats://', `nats://${service}:${encodeURIComponent(password)}@`);

const as = (service: Service): Promise<Rpc> => connectPeer({ natsUrl: urlOf(service), service });

const mayCall: Record<Service, readonly Service[]> = {
  gateway: ['registry-write', 'trust-projection', 'call-proxy', 'pay-proxy'],
  'registry-write': ['trust-projection'],
  'trust-projection': [],
  'call-proxy': ['trust-projection'],
  'pay-proxy': ['trust-projection'],
};

test('the complete list of callers and services', async () => {
  const peers = new Map(await Promise.all(services.map(async (service) => [service, await as(service)] as const)));
  for (const service of services) {
    if (service !== 'gateway')
      await peers.get(service)?.serve(echoMethod(service), ({ text }) => ({ text: `${text} ${service}` }));
  }
  const allowed: string[] = [];
  const forbidden: string[] = [];
  for (const from of services) {
    for (const to of services) {
      const outcome = await peers
        .get(from)
        ?.request(echoMethod(to), { text: 'by' }, { timeoutMs: 10_000 })
        .then(
          ({ text }) => text,
          (error: Error) => error.name,
        );
      if (outcome === `by ${to}`) allowed.push(`${from} → ${to}`);
      if (outcome === 'RpcForbiddenError') forbidden.push(`${from} → ${to}`);
    }
  }
  expect(allowed).toEqual(services.flatMap((from) => mayCall[from].map((to) => `${from} → ${to}`)));
  expect(allowed.length + forbidden.length).toBe(services.length ** 2);
});

test('gateways alone call the roll, and every instance of every service answers for itself', async () => {
  const peers = new Map<Service, Rpc>();
  for (const service of services)
    peers.set(
      service,
      await connectPeer({ natsUrl: urlOf(service), service, version: `1.0.${services.indexOf(service)}` }),
    );
  peers.get('trust-projection')?.describe(() => ({ role: 'standby', fault: 'a fault', poisonPosition: '7' }));
  peers.get('registry-write')?.describeRecent(() => ({ counts: [1, 2] }));
  const withRecent = (await peers.get('gateway')?.callRoll(700, 'recent')) ?? [];
  expect(
    withRecent.flatMap(({ service, answer }) => {
      const { recent } = answer as { recent?: unknown };
      return recent === undefined ? [] : [[service, recent]];
    }),
  ).toEqual([['registry-write', { counts: [1, 2] }]]);
  const called = await Promise.all(services.map(async (service) => peers.get(service)?.callRoll(700)));
  const [ofGateway = [], ...ofOthers] = called;
  expect(ofOthers).toEqual([[], [], [], []]);
  expect(
    ofGateway.toSorted((a, b) => services.indexOf(a.service as Service) - services.indexOf(b.service as Service)),
  ).toEqual(
    services.map((service, index) => ({
      service,
      answer: {
        instanceId: expect.stringMatching(/^i-/u) as string,
        version: `1.0.${index}`,
        startedAt: expect.stringMatching(/Z$/u) as string,
        ...(service === 'trust-projection'
          ? { role: 'standby', fault: 'a fault', poisonPosition: '7' }
          : { role: null, fault: null, poisonPosition: null }),
      },
    })),
  );
});

test('only the proxies may look up the address of an agent', async () => {
  const method = { ...echoMethod('trust-projection'), method: 'get_call_target' };
  const projection = await as('trust-projection');
  await projection.serve(method, ({ text }) => ({ text }));
  const ask = async (service: Service): Promise<string> => {
    const asker = await as(service);
    return asker.request(method, { text: 'ok' }, { timeoutMs: 10_000 }).then(
      ({ text }) => text,
      (error: Error) => error.name,
    );
  };
  expect(await Promise.all((['call-proxy', 'pay-proxy'] as const).map(ask))).toEqual(['ok', 'ok']);
  const others = await Promise.all((['gateway', 'registry-write'] as const).map(ask));
  expect(others).toEqual(['RpcForbiddenError', 'RpcForbiddenError']);
});

test('only the service that builds the read models can activate a trust policy', async () => {
  const method = { ...echoMethod('registry-write'), method: 'activate_trust_policy' };
  const writer = await as('registry-write');
  await writer.serve(method, ({ text }) => ({ text }));
  const outcomes = await Promise.all(
    services.map(async (service) => {
      const asker = await as(service);
      return asker.request(method, { text: 'ok' }, { timeoutMs: 10_000 }).then(
        ({ text }) => `${service}: ${text}`,
        (error: Error) => `${service}: ${error.name}`,
      );
    }),
  );
  expect(outcomes.filter((outcome) => !outcome.endsWith('RpcForbiddenError'))).toEqual(['trust-projection: ok']);
});

test.each(['call-proxy', 'pay-proxy'] as const)('the gateway streams with %s in both directions', async (service) => {
  const method = bytesMethod(service);
  const [gateway, proxy] = [await as('gateway'), await as(service)];
  await proxy.serveStream(method, async (_context, _input, body, answer) => {
    answer.head({ status: 200 });
    let received = 0;
    for await (const chunk of body) {
      received += chunk.length;
      await answer.write(chunk);
    }
    return { received };
  });
  const stream = await gateway.openStream(method, {}, { body: Buffer.alloc(2_000_000) });
  let down = 0;
  for await (const chunk of stream.body) down += chunk.length;
  expect(down).toBe(2_000_000);
  await expect(stream.trailer).resolves.toEqual({ received: 2_000_000 });
});

test('a wrong password and no credentials are refused', async () => {
  await expect(connectPeer({ natsUrl: urlOf('gateway', 'wrong'), service: 'gateway' })).rejects.toMatchObject({
    name: 'AuthorizationError',
  });
  await expect(connectPeer({ natsUrl: server.url, service: 'gateway' })).rejects.toMatchObject({
    name: 'AuthorizationError',
  });
});

test("no service can serve under another name, or read another's answers", async () => {
  const outcomes = await Promise.all(
    services.flatMap((user) =>
      services.map((name) =>
        connectPeer({ natsUrl: urlOf(user), service: name }).then(
          () => (user === name ? 'own' : `${user} as ${name}`),
          (error: Error) => error.name,
        ),
      ),
    ),
  );
  expect(new Set(outcomes)).toEqual(new Set(['own', 'RpcForbiddenError']));
});

test.each([
  ['gateway', 'sub', 'rpc.registry-write.>'],
  ['gateway', 'sub', 'reply.registry-write.>'],
  ['gateway', 'sub', 'reply.>'],
  ['gateway', 'sub', 'inbox.>'],
  ['gateway', 'sub', 'control.>'],
  ['gateway', 'sub', '>'],
  ['call-proxy', 'sub', 'rpc.pay-proxy.x'],
  // Outside of its queue group an instance would get a copy of every call.
  ['call-proxy', 'sub', 'rpc.call-proxy.x'],
  ['gateway', 'pub', 'reply.gateway.registry-write.i.1'],
  ['gateway', 'pub', 'reply.call-proxy.trust-projection.i.1'],
  ['call-proxy', 'pub', 'reply.gateway.registry-write.i.1'],
  ['call-proxy', 'pub', 'reply.gateway.pay-proxy.i.1'],
  ['registry-write', 'pub', 'control.call-proxy.i.1'],
  ['call-proxy', 'pub', '$KV.nonces.x'],
  ['call-proxy', 'pub', '$JS.API.STREAM.INFO.KV_nonces'],
  ['gateway', 'pub', '$JS.API.STREAM.DELETE.KV_nonces'],
  ['gateway', 'pub', '$JS.API.STREAM.PURGE.KV_nonces'],
  ['gateway', 'pub', '$JS.API.STREAM.MSG.DELETE.KV_rate_limits'],
  ['gateway', 'pub', '$JS.API.STREAM.DELETE.KV_idempotency'],
  ['gateway', 'pub', '$JS.API.STREAM.PURGE.KV_idempotency'],
  ['gateway', 'pub', '$JS.API.STREAM.MSG.DELETE.KV_idempotency_budgets'],
  ['registry-write', 'pub', '$JS.API.STREAM.MSG.GET.KV_idempotency'],
  ['gateway', 'pub', '$JS.API.STREAM.MSG.GET.KV_payment_demands'],
  ['registry-write', 'pub', '$KV.payment_demands.x'],
  ['gateway', 'pub', '$KV.payment_demands_anonymous.x'],
  ['pay-proxy', 'pub', '$JS.API.STREAM.DELETE.KV_payment_demands'],
  ['call-proxy', 'pub', '$JS.API.STREAM.CREATE.KV_nonces'],
  // MCP sessions, and the messages between gateways about them.
  ['call-proxy', 'sub', 'mcp.gateway.>'],
  ['trust-projection', 'pub', 'mcp.gateway.all'],
  // What others may answer from memory is the leader's to say.
  ['gateway', 'pub', 'replica.feed.rare'],
  ['gateway', 'pub', 'replica.watermark'],
  ['gateway', 'pub', 'replica.member.gateway.x'],
  ['gateway', 'sub', 'replica.leader.gateway'],
  ['call-proxy', 'pub', 'replica.feed.rare'],
  ['call-proxy', 'sub', 'replica.feed.all'],
  ['call-proxy', 'sub', 'replica.leader.*'],
  ['pay-proxy', 'pub', 'replica.member.pay-proxy.x'],
  // Nobody hears of another service's memberships, or speaks for them.
  ['call-proxy', 'sub', 'replica.member.gateway.*'],
  ['call-proxy', 'sub', 'replica.member.*.*'],
  ['call-proxy', 'sub', 'replica.member.>'],
  ['call-proxy', 'pub', 'replica.leader.gateway'],
  ['pay-proxy', 'sub', 'replica.member.call-proxy.x'],
  ['pay-proxy', 'sub', 'replica.feed.all'],
  ['pay-proxy', 'pub', 'replica.leader.call-proxy'],
  ['gateway', 'sub', 'replica.member.pay-proxy.*'],
  ['gateway', 'pub', 'replica.leader.pay-proxy'],
  ['registry-write', 'sub', 'replica.member.registry-write.x'],
  ['pay-proxy', 'sub', 'replica.>'],
  ['registry-write', 'sub', 'replica.feed.rare'],
  ['pay-proxy', 'sub', 'replica.watermark'],
  ['registry-write', 'pub', 'replica.leader.registry-write'],
  ['registry-write', 'pub', '$JS.API.STREAM.MSG.GET.KV_mcp_sessions'],
  ['pay-proxy', 'pub', '$KV.mcp_events.x'],
  ['gateway', 'pub', '$JS.API.STREAM.DELETE.KV_mcp_sessions'],
  ['gateway', 'pub', '$JS.API.STREAM.CREATE.spy'],
  ['gateway', 'pub', '$JS.API.CONSUMER.CREATE.KV_nonces'],
  ['gateway', 'pub', '$SYS.REQ.SERVER.PING'],
] as const)('%s cannot %s %s', async (service, action, subject) => {
  const { connection } = await as(service);
  const refusals: string[] = [];
  const watching = (async () => {
    for await (const status of connection.status()) if (status.type === 'error') refusals.push(status.error.message);
  })();
  if (action === 'pub') connection.publish(subject, '{}');
  else connection.subscribe(subject, { callback: () => {} });
  await waitFor(() => refusals.length > 0);
  expect(refusals[0]).toContain(subject);
  await connection.close();
  await watching;
});

test.each([
  ['gateway', ['replica.feed.rare', 'replica.feed.all', 'replica.watermark']],
  ['call-proxy', ['replica.feed.rare']],
  ['pay-proxy', ['replica.feed.rare']],
] as const)(
  '%s is a member of the replicas: it asks the leader, and hears the answers and its feeds',
  async (service, feeds) => {
    const [{ connection: leader }, { connection: member }] = await Promise.all([as('trust-projection'), as(service)]);
    const heard: string[] = [];
    leader.subscribe('replica.leader.*', {
      callback: (_error, { subject, reply }) => {
        heard.push(subject);
        for (const to of [String(reply), ...feeds]) leader.publish(to);
      },
    });
    await leader.flush();
    const answers = `replica.member.${service}.one`;
    for (const subject of [answers, ...feeds])
      member.subscribe(subject, { callback: (_error, message) => void heard.push(message.subject) });
    member.publish(`replica.leader.${service}`, '{}', { reply: answers });
    await waitFor(() => heard.length === 2 + feeds.length);
    expect(heard).toEqual([`replica.leader.${service}`, answers, ...feeds]);
    await Promise.all([leader.close(), member.close()]);
  },
);

test('the gateway keeps rate limits, nonces, repeated answers and MCP sessions in JetStream, and no other bucket', async () => {
  const { connection } = await as('gateway');
  const manager = new Kvm(jetstream(connection));
  for (const bucket of [
    'rate_limits',
    'registration_counts',
    'nonces',
    'idempotency',
    'idempotency_anonymous',
    'idempotency_budgets',
    'mcp_sessions',
    'mcp_events',
  ]) {
    const keys = await manager.create(bucket, { ttl: 60_000, history: 1, allow_direct: false });
    await keys.create('once', 'a');
    await expect(keys.create('once', 'b')).rejects.toThrow(/wrong last sequence/);
    await keys.put('count', '1');
    const entry = await keys.get('count');
    expect(entry?.string()).toBe('1');
    await keys.update('count', '2', entry?.revision ?? 0);
    await expect(keys.get('missing')).resolves.toBeNull();
    await expect(manager.create(bucket, { ttl: 60_000, history: 1 })).resolves.toBeDefined();
  }
  await expect(manager.create('others', {})).rejects.toThrow(/Permissions Violation/);
});

test('gateways forward MCP messages to each other', async () => {
  const [one, two] = await Promise.all([as('gateway'), as('gateway')]);
  one.connection.subscribe('mcp.gateway.one', { callback: (_error, message) => void message.respond('taken') });
  await one.connection.flush();
  const answer = await two.connection.request('mcp.gateway.one', 'a message', {
    timeout: 20_000,
    noMux: true,
    reply: 'mcp.gateway.answer.1',
  });
  expect(answer.string()).toBe('taken');
});

test('the proxies share the last payment demands and unrecorded settlements, and no other bucket', async () => {
  const [calls, payments] = await Promise.all([as('call-proxy'), as('pay-proxy')]);
  const open = ({ connection }: Rpc, bucket: string) =>
    new Kvm(jetstream(connection, { checkAPI: false })).create(bucket, { history: 1, allow_direct: false });
  for (const bucket of ['payment_demands', 'payment_demands_anonymous', 'settlement_outbox']) {
    const [kept, found] = [await open(calls, bucket), await open(payments, bucket)];
    await kept.put('agent.1', 'demand');
    expect((await found.get('agent.1'))?.string()).toBe('demand');
  }
  for (const { connection } of [calls, payments]) {
    const { streams } = await jetstreamManager(connection, { checkAPI: false });
    const first = { seq: 1, next_by_subj: '$KV.settlement_outbox.>' } as unknown as Parameters<
      typeof streams.getMessage
    >[1];
    const entry = await streams.getMessage('KV_settlement_outbox', first);
    await streams.deleteMessage('KV_settlement_outbox', entry?.seq ?? 0, false);
    await (await open({ connection } as Rpc, 'settlement_outbox')).put('agent.1', 'another');
    await expect(new Kvm(jetstream(connection)).create('nonces', {})).rejects.toThrow(/Permissions Violation/);
  }
});

test('the gateway can purge an entry of its kept answers without leaving a marker', async () => {
  const { connection } = await as('gateway');
  for (const bucket of ['idempotency', 'idempotency_anonymous']) {
    const keys = await new Kvm(jetstream(connection)).create(bucket, { ttl: 60_000, history: 1, allow_direct: false });
    const revision = await keys.create('freed', 'a');
    const streams = (await jetstreamManager(connection)).streams;
    const before = (await streams.info(`KV_${bucket}`)).state.messages;
    await streams.deleteMessage(`KV_${bucket}`, revision);
    expect((await streams.info(`KV_${bucket}`)).state.messages).toBe(before - 1);
    await expect(keys.create('freed', 'b')).resolves.toBeGreaterThan(revision);
  }
});

// The right to create a stream includes the right to name any subject as its source. In the services' account a stream would copy every answer to
// a place that its creator can read, whatever its subscription rights are.
test('a stream that claims the subjects of the bus captures no message', async () => {
  // On a server without the buckets of other tests.
  await server.stop();
  server = await startNatsServer({ configFile, env });
  const [gateway, registry, projection] = await Promise.all([
    as('gateway'),
    as('registry-write'),
    as('trust-projection'),
  ]);
  const subjects = ['$KV.rate_limits.>', 'reply.>', 'rpc.>'];
  const claim = { name: 'KV_rate_limits', subjects, storage: 'memory', retention: 'limits', num_replicas: 1 };
  const created = await gateway.connection.request('$JS.API.STREAM.CREATE.KV_rate_limits', JSON.stringify(claim));
  expect(created.json<{ config: { subjects: string[] } }>().config.subjects).toEqual(subjects);

  const method = echoMethod('trust-projection');
  await projection.serve(method, ({ text }) => ({ text }));
  await registry.request(method, { text: 'secret' });
  const info = await gateway.connection.request('$JS.API.STREAM.INFO.KV_rate_limits');
  expect(info.json<{ state: { messages: number } }>().state.messages).toBe(0);
});
