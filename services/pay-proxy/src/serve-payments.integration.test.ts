/**
 * Relays payments over a real message bus and a real event log to real HTTP servers. Only trust-projection is replaced: the test gives its
 * answers over the same bus.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getCallTarget, getExchangeParties, production, relayPayment } from '@agent-trust/contracts';
import { startReplica } from '@agent-trust/edge-replica/bus';
import { type EventLog, migratePostgresEventLog, openEventLog } from '@agent-trust/event-log';
import { connectJetStream, connectRpc, type Rpc, type RpcRefusedError } from '@agent-trust/nats-rpc';
import { createSafeFetch, createTargetGuard, targetLimitsOf } from '@agent-trust/safe-fetch';
import { createLogger } from '@agent-trust/service-kit';
import { openKeptDemands, startSettlementOutbox, toRefusal } from '@agent-trust/proxy-kit';
import { createTestBus, createTestDatabase, startRunTime } from '@agent-trust/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PayInput } from './payment.ts';
import { servePayments } from './relay-payment.ts';

/** Short, because tests wait for it; long enough for agents in the process of a busy test. */
const callTimeoutMs = 2_000;
const streamedAnswerBytesMax = 1024 * 1024;
const payConcurrencyMax = 64;
const agents = new Map<string, string>();
const servers: Server[] = [];
const closers: (() => Promise<void>)[] = [];
let log: EventLog;
let gateway: Rpc;

beforeAll(async () => {
  const database = await createTestDatabase();
  const natsUrl = createTestBus().url;
  await migratePostgresEventLog(database.url);
  log = await openEventLog(database.url);
  const connect = (service: string): Promise<Rpc> => connectRpc({ natsUrl, service, instanceId: 'test', toRefusal });
  const [projection, proxy] = [await connect('trust-projection'), await connect('pay-proxy')];
  gateway = await connect('gateway');
  await projection.serve(getCallTarget, ({ agentId }) =>
    Promise.resolve({
      target: {
        agentId,
        messageProtocol: 'a2a',
        a2aCompliant: false,
        httpMethods: null,
        payable: true,
        orgId: null,
        endpointUrl: agents.get(agentId) ?? null,
      },
    }),
  );
  await projection.serve(getExchangeParties, ({ transactionId }) => {
    const [callerAgentId = '', receiverAgentId = ''] = transactionId.split(' to ');
    return Promise.resolve({ parties: { callerAgentId, receiverAgentId, universe: production } });
  });
  const jetstream = await connectJetStream({ natsUrl, service: 'pay-proxy', instanceId: 'test' });
  const safeFetch = createSafeFetch({ allow: '127.0.0.0/8' });
  const logger = createLogger({ service: 'pay-proxy', instanceId: 'test', level: 'silent' });
  const outbox = startSettlementOutbox(log, jetstream, logger);
  await servePayments(
    {
      rpc: proxy,
      replica: startReplica(
        proxy.connection,
        { service: 'pay-proxy', bytesMax: 0, isFrequent: () => false, hasWriters: false },
        logger,
      ),
      log,
      logger,
      safeFetch,
      guard: createTargetGuard({ limits: targetLimitsOf(payConcurrencyMax, 1_000) }),
      demands: openKeptDemands(jetstream, logger),
      outbox,
      newId: randomUUID,
      now: () => new Date(),
      baseUrl: 'https://trust.test',
      callTimeoutMs,
      streamedAnswerBytesMax,
    },
    payConcurrencyMax,
  );
  closers.push(
    ...[projection, proxy, gateway].map((rpc) => () => rpc.close()),
    () => outbox.stop(),
    () => jetstream.close(),
    () => safeFetch.close(),
    () => log.close(),
    () => database.drop(),
  );
});
afterAll(async () => {
  for (const server of servers) server.closeAllConnections();
  for (const close of closers) await close();
});

/** An agent on loopback. */
const agentThat = async (answers: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> => {
  const server = createServer(answers).listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  const agentId = randomUUID();
  agents.set(agentId, `http://127.0.0.1:${(server.address() as AddressInfo).port}/work`);
  return agentId;
};

type Sent = Partial<Omit<PayInput, 'agentId' | 'hasBody'>> & { body?: AsyncIterable<Uint8Array> };
const open = (agentId: string, { body, ...over }: Sent = {}) => {
  const input: PayInput = {
    agentId,
    method: body === undefined ? 'GET' : 'POST',
    payer: null,
    anonymousId: null,
    callerAgentId: null,
    callRef: null,
    query: '',
    headers: {},
    hasBody: body !== undefined,
    ...over,
  };
  return gateway.openStream(relayPayment, input, { body, headTimeoutMs: 60_000, idleTimeoutMs: 60_000 });
};
const pay = async (agentId: string, sent: Sent = {}) => {
  const relay = await open(agentId, sent);
  const chunks: Uint8Array[] = [];
  for await (const chunk of relay.body) chunks.push(chunk);
  return { head: relay.head, text: Buffer.concat(chunks).toString() };
};

/** Sends headers, and then a piece of the body now and then, forever. */
const drip =
  (statusCode: number, head: Record<string, string> = {}) =>
  (_request: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(statusCode, head);
    const timer = setInterval(() => response.write(' '), callTimeoutMs / 10);
    response.on('close', () => clearInterval(timer));
    response.write('{"accepts":[]');
  };

describe('an unsuccessful answer', () => {
  it.each([402, 404, 500])(
    'of %i arrives completely within the time limit of an answer, or not at all',
    async (statusCode) => {
      const agentId = await agentThat(drip(statusCode));
      const tookMs = startRunTime();
      await expect(pay(agentId)).rejects.toMatchObject({ code: 'downstream_failed' });
      expect(tookMs()).toBeLessThan(callTimeoutMs * 4);
    },
  );

  it('has its time limit from the moment when the agent has the body', async () => {
    const slowBody = async function* (): AsyncGenerator<Uint8Array> {
      // Longer than the time limit of an answer, which is the agent's alone.
      for (let piece = 0; piece < 8; piece += 1) {
        await new Promise((resolve) => setTimeout(resolve, callTimeoutMs / 4));
        yield Buffer.from('x');
      }
    };
    const afterBody = await agentThat((request, response) => {
      request.resume().on('end', () => response.writeHead(404).end('nothing here'));
    });
    expect(await pay(afterBody, { body: slowBody() })).toMatchObject({
      head: { statusCode: 404 },
      text: 'nothing here',
    });
    const late = await agentThat((request, response) => {
      request.resume().on('end', () => setTimeout(() => drip(404)(request, response), callTimeoutMs * 0.7));
    });
    const tookMs = startRunTime();
    await expect(pay(late, { body: slowBody() })).rejects.toMatchObject({ code: 'downstream_failed' });
    // Eight pieces take twice as long as an answer may.
    expect(tookMs()).toBeLessThan(callTimeoutMs * (2 + 4));
  });
});

describe('a paid answer', () => {
  it('may take longer, as long as data arrives', async () => {
    const agentId = await agentThat((_request, response) => {
      response.writeHead(200).write('a');
      setTimeout(() => response.write('b'), callTimeoutMs * 0.5);
      setTimeout(() => response.end('c'), callTimeoutMs * 1.2);
    });
    expect(await pay(agentId)).toMatchObject({ head: { statusCode: 200 }, text: 'abc' });
  });

  it.each([
    ['exactly as long as it may be is passed on whole', streamedAnswerBytesMax, streamedAnswerBytesMax],
    ['a byte longer breaks off', streamedAnswerBytesMax + 1, 'downstream_failed'],
  ])('that is %s', async (_, bytes, outcome) => {
    const agentId = await agentThat((_request, response) => {
      response.writeHead(200, { 'transfer-encoding': 'chunked' }).end(Buffer.alloc(bytes, 'x'));
    });
    const paid = await pay(agentId).then(
      ({ text }) => text.length,
      (error: unknown) => (error as RpcRefusedError).code,
    );
    expect(paid).toBe(outcome);
  });
});

// Bug: one address uses an agent's whole capacity for payers without a key, or all of them use the agent's whole capacity.
it('leaves capacity to other payers without a key, and to those authenticated by a key or a call', async () => {
  const answers: ServerResponse[] = [];
  const agentId = await agentThat((_request, response) => {
    answers.push(response.writeHead(200));
    response.write('begun');
    // An answer that is silent for too long ends, and no longer counts.
    const timer = setInterval(() => response.write('.'), callTimeoutMs / 10);
    response.on('close', () => clearInterval(timer));
  });
  const { agentRequestsMax } = targetLimitsOf(payConcurrencyMax, 1_000);
  const hold = async (count: number, sent: Sent): Promise<void> => {
    for (let index = 0; index < count; index += 1) await open(agentId, sent);
  };
  const expectBusy = (sent: Sent, message: RegExp) =>
    expect(open(agentId, sent)).rejects.toMatchObject({
      code: 'target_busy',
      message: expect.stringMatching(message) as string,
    });
  await hold(agentRequestsMax / 4, { anonymousId: 'one address' });
  await expectBusy({ anonymousId: 'one address' }, /You have as many/u);
  // A claimed name proves nothing.
  await expectBusy({ anonymousId: 'one address', callerAgentId: 'claimed' }, /You have as many/u);
  await hold(agentRequestsMax / 4, { anonymousId: 'another' });
  await expectBusy({ anonymousId: 'a third' }, /from all anonymous callers/u);
  await hold(agentRequestsMax / 4, { anonymousId: 'one address', callRef: `known to ${agentId}` });
  await hold(agentRequestsMax / 4, { payer: { agentId: 'known', universe: production } });
  await expectBusy({ payer: { agentId: 'other', universe: production } }, /from all callers together/u);
  for (const response of answers) response.end();
});
