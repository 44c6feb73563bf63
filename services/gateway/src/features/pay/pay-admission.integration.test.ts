/**
 * Bugs: keys that anyone gets by registering use the whole capacity; slow senders hold capacity that others need; a permit is never released.
 * Method: payments that are held open, and bodies that start and never end, over real sockets.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { authenticateAgentKey, production, relayPayment } from '@agent-trust/contracts';
import { waitFor } from '@agent-trust/test-kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex, mintKey } from '../../credentials/keys.ts';
import { edgeLimits } from '../../limits.ts';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../testing/gateway-under-test.ts';

const { perAgentMax: payerMax, perAddressMax: addressMax, perOrgMax: orgMax, withoutOrgMax } = edgeLimits.payments;
const { perAgentMax: uploadsMax } = edgeLimits.uploads;

/** Agents by name; a slash separates the organisation from the agent. */
const keys = new Map<string, string>();
const keyOf = (agentId: string): string => {
  const key = keys.get(agentId) ?? mintKey('agent');
  keys.set(agentId, key);
  return key;
};
const orgOf = (agentId: string): string | null => /^(\w+)\//u.exec(agentId)?.[1] ?? null;

let under: GatewayUnderTest;
let held: (() => void)[] = [];
let sockets: Socket[] = [];
const finishAll = (): void => {
  for (const finish of held.splice(0)) finish();
};
// One for each test: capacity returns some time after a connection has closed.
beforeEach(async () => {
  [held, sockets] = [[], []];
  under = await startGatewayUnderTest();
  under.bus.answer(authenticateAgentKey, ({ keyHash }) => {
    const agentId = [...keys.keys()].find((name) => sha256Hex(keyOf(name)) === keyHash);
    return { agent: agentId === undefined ? null : { agentId, universe: production, orgId: orgOf(agentId) } };
  });
  under.bus.answerStream(relayPayment, async (_input, _body, answer) => {
    await new Promise<void>((resolve) => held.push(resolve));
    answer.head({ statusCode: 200, headers: {}, attribution: 'none', position: null });
    return {};
  });
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  finishAll();
  await under.stop();
});

/** @param agentId null for a client without a key. */
const pay = (agentId: string | null, init: RequestInit = {}): Promise<Response> =>
  fetch(`${under.url}/pay/receiver`, {
    ...init,
    headers: agentId === null ? {} : { authorization: `Bearer ${keyOf(agentId)}` },
  });
const hold = async (agentId: string | null, count: number, init?: RequestInit): Promise<Promise<Response>[]> => {
  const before = held.length;
  const payments = Array.from({ length: count }, () => pay(agentId, init));
  await waitFor(() => held.length === before + count, { description: `${count} payments under way` });
  return payments;
};
const expectRefused = async (response: Response, status: number, code: string): Promise<void> => {
  expect([response.status, response.headers.get('retry-after')]).toEqual([status, '1']);
  expect(await response.json()).toMatchObject({ code });
};
const expectAllAnswered = async (payments: Promise<Response>[]): Promise<void> => {
  finishAll();
  const statuses = (await Promise.all(payments)).map(({ status }) => status);
  expect(statuses).toEqual(payments.map(() => 200));
};

/** Starts a request with a body and sends one byte of it. */
const beginBody = async (headers: string[]): Promise<Socket> => {
  const socket = connect(Number(new URL(under.url).port), '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  socket.write(['POST /pay/receiver HTTP/1.1', 'host: localhost', ...headers, '', '1'].join('\r\n'));
  return socket;
};
const begin = async (count: number, headers: string[]): Promise<string[]> => {
  const answers: string[] = [];
  for (let index = 0; index < count; index += 1) {
    (await beginBody(headers)).on('data', (text) => answers.push(String(text)));
  }
  return answers;
};

describe('the limit of concurrent payments at one gateway', () => {
  it('applies to each payer, with or without a key, and a refusal has Retry-After', async () => {
    const payments: Promise<Response>[] = [];
    for (const [payer, countMax] of [
      ['greedy', payerMax],
      [null, addressMax],
      ['org/greedy', payerMax],
    ] as const) {
      payments.push(...(await hold(payer, countMax)));
      await expectRefused(await pay(payer), 429, 'too_many_calls');
    }
    await expectAllAnswered(payments);
    await expectAllAnswered(await hold('greedy', payerMax));
  });

  it("applies to an organisation's agents together", async () => {
    const payments: Promise<Response>[] = [];
    for (let index = 0; index < orgMax / payerMax; index += 1)
      payments.push(...(await hold(`org/a${index}`, payerMax)));
    await expectRefused(await pay('org/late'), 429, 'too_many_calls');
    payments.push(...(await hold('rival/agent', 1)));
    await expectAllAnswered(payments);
  });

  it('for freely available keys leaves capacity to organisations, and to payers without a key', async () => {
    const payments: Promise<Response>[] = [];
    for (let index = 0; index < withoutOrgMax / payerMax; index += 1) {
      payments.push(...(await hold(`free${index}`, payerMax)));
    }
    await expectRefused(await pay('free-late'), 503, 'overloaded');
    payments.push(...(await hold('org/agent', payerMax)), ...(await hold(null, addressMax)));
    await expectAllAnswered(payments);
  });
});

describe('slow bodies', () => {
  it('use no capacity while they are short', async () => {
    const key = `authorization: Bearer ${keyOf('slow')}`;
    const answers = [
      ...(await begin(payerMax + 4, ['content-length: 2'])),
      ...(await begin(payerMax + 4, [key, 'content-length: 2'])),
    ];
    const payments = [...(await hold(null, addressMax)), ...(await hold('slow', payerMax))];
    await expectAllAnswered(payments);
    expect([answers, held]).toEqual([[], []]);
  });

  it.each([
    ['with a declared length', `content-length: ${edgeLimits.shortPaymentBytesMax + 1}`],
    ['without a declared length', 'transfer-encoding: chunked'],
  ])('use little capacity if they are long: %s', async (_what, length) => {
    for (const credential of [[], [`authorization: Bearer ${keyOf('slow')}`]]) {
      const before = held.length;
      const answers = await begin(uploadsMax + 3, [length, ...credential]);
      await waitFor(() => answers.length === 3, { description: 'those beyond what one payer may begin' });
      await waitFor(() => held.length === before + uploadsMax, { description: 'those that it may begin' });
      for (const text of answers) {
        expect(text).toMatch(/^HTTP\/1\.1 429 [\s\S]*retry-after: 1[\s\S]*"code":"too_many_calls"/u);
      }
    }
    // The limit for a payer's bodies is a part of its limit for payments.
    const payments = [...(await hold(null, addressMax - uploadsMax)), ...(await hold('slow', payerMax - uploadsMax))];
    await expectAllAnswered(payments);
  });

  it('release their capacity when they are complete, or their client disconnects', async () => {
    const body = Buffer.alloc(edgeLimits.shortPaymentBytesMax + 1);
    under.bus.answerStream(relayPayment, async (_input, sent, answer) => {
      for await (const _ of sent);
      await new Promise<void>((resolve) => held.push(resolve));
      answer.head({ statusCode: 200, headers: {}, attribution: 'none', position: null });
      return {};
    });
    const first = await hold(null, uploadsMax, { method: 'POST', body });
    const second = await hold(null, uploadsMax, { method: 'POST', body });
    await expectAllAnswered([...first, ...second]);
    await begin(uploadsMax, ['transfer-encoding: chunked']);
    for (const socket of sockets) socket.destroy();
    const waitForRoom = async (): Promise<boolean> => {
      const started = held.length;
      const refused = await Promise.race([
        pay(null, { method: 'POST', body }),
        waitFor(() => held.length > started).then(() => null),
      ]);
      return refused === null;
    };
    expect(await waitFor(waitForRoom).then(() => true)).toBe(true);
    finishAll();
  });
});
