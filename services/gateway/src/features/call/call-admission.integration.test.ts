/**
 * Bugs: capacity for calls is taken before the caller is authenticated, so that callers without a key can keep everybody out; one caller takes
 * all; a permit is never released. Method: calls that are held open, and bodies that start and never end, over real sockets.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { authenticateAgentKey, executeCall, findSignatureKey, production } from '@agent-trust/contracts';
import { waitFor } from '@agent-trust/test-kit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex, mintKey } from '../../credentials/keys.ts';
import { edgeLimits } from '../../limits.ts';
import { type GatewayUnderTest, post, startGatewayUnderTest } from '../../testing/gateway-under-test.ts';

const perCallerMax = 6;
const keys = { greedy: mintKey('agent'), modest: mintKey('agent'), outsider: mintKey('agent') };
const orgs = { greedy: 'org1', modest: 'org2', outsider: null };
type Caller = keyof typeof keys;

let under: GatewayUnderTest;
let held: (() => void)[] = [];
let sockets: Socket[] = [];

beforeAll(async () => {
  under = await startGatewayUnderTest({ CALLS_PER_CALLER_MAX: String(perCallerMax) });
});
afterAll(() => under.stop());

beforeEach(async () => {
  for (const socket of sockets) socket.destroy();
  for (const finish of held) finish();
  [held, sockets] = [[], []];
  under.bus.answer(authenticateAgentKey, ({ keyHash }) => {
    const agentId = (Object.keys(keys) as Caller[]).find((name) => sha256Hex(keys[name]) === keyHash);
    return { agent: agentId === undefined ? null : { agentId, universe: production, orgId: orgs[agentId] } };
  });
  under.bus.answerStream(executeCall, async (_input, _body, answer) => {
    await new Promise<void>((resolve) => held.push(resolve));
    const statusCode = 200;
    answer.head({
      transactionId: 't',
      statusCode,
      responseHeaders: {},
      contentType: null,
      streaming: false,
      mcpSessionId: null,
    });
    return { position: null, fallbackAgentId: null };
  });
});

const bodyOf = (caller: string): string =>
  JSON.stringify({
    caller_agent_id: caller,
    agent_id: 'receiver',
    message: { jsonrpc: '2.0', method: 'message/send' },
  });
const call = (caller: Caller): Promise<Response> =>
  post(`${under.url}/call`, bodyOf(caller), { authorization: `Bearer ${keys[caller]}` });
const hold = async (caller: Caller, count: number): Promise<Promise<Response>[]> => {
  const before = held.length;
  const calls = Array.from({ length: count }, () => call(caller));
  await waitFor(() => held.length === before + count, { description: `${count} calls under way` });
  return calls;
};
const finishAll = (): void => {
  for (const finish of held.splice(0)) finish();
};

/** Starts a request with a long body and sends little of it. */
const beginLongBody = async (
  headers: string[],
  length = edgeLimits.shortBodyBytesMax + 1,
  begin = '{',
): Promise<Socket> => {
  const socket = connect(Number(new URL(under.url).port), '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  socket.write(
    [
      'POST /call HTTP/1.1',
      'host: localhost',
      'content-type: application/json',
      ...(length === 0 ? ['transfer-encoding: chunked'] : [`content-length: ${length}`]),
      ...headers,
      '',
      begin,
    ].join('\r\n'),
  );
  return socket;
};
const answerOf = async (socket: Socket): Promise<string> => String((await once(socket, 'data'))[0]);

describe('one caller', () => {
  it('has a limit of concurrent calls, gets Retry-After beyond it, and keeps nobody else out', async () => {
    const greedy = await hold('greedy', perCallerMax);
    const refused = await call('greedy');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await refused.json()).toMatchObject({ code: 'too_many_calls' });
    const others = [...(await hold('modest', perCallerMax)), ...(await hold('outsider', 2))];
    finishAll();
    for (const answer of await Promise.all([...greedy, ...others])) expect(answer.status).toBe(200);
    const again = await hold('greedy', perCallerMax);
    finishAll();
    expect((await Promise.all(again)).map(({ status }) => status)).toEqual(again.map(() => 200));
  });

  it('gets its capacity back when it disconnects', async () => {
    const leaving = new AbortController();
    const calls = Array.from({ length: perCallerMax }, () =>
      fetch(`${under.url}/call`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${keys.greedy}` },
        body: bodyOf('greedy'),
        signal: leaving.signal,
      }).catch(() => undefined),
    );
    await waitFor(() => held.length === perCallerMax);
    leaving.abort();
    await Promise.all(calls);
    const passed = await waitFor(async () => {
      const started = held.length;
      const refused = await Promise.race([call('greedy'), waitFor(() => held.length > started).then(() => null)]);
      return refused === null;
    }).then(() => true);
    expect(passed).toBe(true);
    finishAll();
  });

  it('uses its own capacity while its long bodies are under way', async () => {
    for (let index = 0; index < perCallerMax; index += 1) await beginLongBody([`authorization: Bearer ${keys.greedy}`]);
    await waitFor(async () => {
      const probe = await Promise.race([call('greedy'), waitFor(() => held.length > 0).then(() => null)]);
      finishAll();
      return probe?.status === 429;
    });
    const modest = await hold('modest', perCallerMax);
    finishAll();
    expect((await Promise.all(modest)).map(({ status }) => status)).toEqual(modest.map(() => 200));
  });
});

describe('the bytes of long bodies', () => {
  const { perAgentMax, withoutOrgMax, perAddressMax } = edgeLimits.bodyBytes;
  const eightMiB = 8 * 1024 * 1024;
  const long = { long: 'x'.repeat(edgeLimits.shortBodyBytesMax) };
  // A gateway learns a little later that a client has left.
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await waitFor(async () => (await post(`${under.url}/verify`, long)).status !== 503);
  });
  const begin = async (count: number, headers: string[], length = eightMiB, text = '{'): Promise<string[]> => {
    const refused: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const socket = await beginLongBody(headers, length, text);
      void answerOf(socket).then((answer) => refused.push(answer));
    }
    return refused;
  };
  const expectRefused = async (refused: string[], count: number): Promise<void> => {
    await waitFor(() => refused.length === count, { description: `${count} refused bodies` });
    for (const text of refused) {
      expect(text).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 1[\s\S]*"code":"overloaded"/u);
    }
  };
  const bearerOf = (caller: Caller): string => `authorization: Bearer ${keys[caller]}`;

  it('of one agent are limited, whatever it sends of them, and those of others go on', async () => {
    const fit = Math.floor(perAgentMax / eightMiB);
    await expectRefused(await begin(fit + 2, [bearerOf('outsider')]), 2);
    const others = await hold('modest', perCallerMax);
    finishAll();
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual(others.map(() => 200));
  });

  it('are free again when their clients leave', async () => {
    const fit = Math.floor(perAgentMax / eightMiB);
    await begin(fit, [bearerOf('outsider')]);
    await expectRefused(await begin(1, [bearerOf('outsider')]), 1);
    for (const socket of sockets.splice(0)) socket.destroy();
    await waitFor(async () => {
      const refused = await begin(1, [bearerOf('outsider')]);
      const ours = sockets.at(-1);
      return Promise.race([
        waitFor(() => refused.length > 0).then(() => false),
        new Promise<boolean>((resolve) =>
          setTimeout(() => resolve(ours?.destroyed === false), edgeLimits.bodyWaitMs + 300),
        ),
      ]);
    });
  });

  it('wait, unread, for room that others leave', async () => {
    const fit = Math.floor(perAgentMax / eightMiB);
    await begin(fit, [bearerOf('outsider')]);
    const [first] = sockets.splice(0, 1);
    const body = bodyOf('outsider').padEnd(eightMiB);
    const refused = await begin(1, [bearerOf('outsider')], eightMiB, body);
    const passed = waitFor(() => held.length === 1, { description: 'the call that found no room at first' });
    first?.destroy();
    await passed;
    finishAll();
    await waitFor(() => refused.length === 1);
    expect(refused[0]).toMatch(/^HTTP\/1\.1 200 /u);
  });

  it('of undeclared length count in full as soon as they are long', async () => {
    const short = `${(1_024).toString(16)}\r\n${'x'.repeat(1_024)}\r\n`;
    const longer = short.repeat(edgeLimits.shortBodyBytesMax / 1_024 + 1);
    const none = await begin(4, [bearerOf('outsider')], 0, short);
    await expectRefused(await begin(4, [bearerOf('greedy')], 0, longer), 2);
    expect(none).toEqual([]);
  });

  it('of agents without an organisation leave room to organisations', () => {
    expect(withoutOrgMax + perAddressMax).toBeLessThan(edgeLimits.bodyBytes.allMax - perAgentMax);
  });

  it('of other routes count towards the address of their client', async () => {
    const mebibyte = 1024 * 1024;
    const fit = Math.floor(perAddressMax / mebibyte);
    const refused: string[] = [];
    for (let index = 0; index < fit + 2; index += 1) {
      const socket = connect(Number(new URL(under.url).port), '127.0.0.1');
      sockets.push(socket);
      await once(socket, 'connect');
      socket.write(
        `POST /verify HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${mebibyte}\r\n\r\n{`,
      );
      void answerOf(socket).then((answer) => refused.push(answer));
    }
    await expectRefused(refused, 2);
    const others = await hold('modest', perCallerMax);
    finishAll();
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual(others.map(() => 200));
  });
});

describe('a caller without a key', () => {
  it('gets the fault of its body before the fault of its credential', async () => {
    under.bus.answer(findSignatureKey, () => ({ signer: null }));
    const long = 'x'.repeat(edgeLimits.shortBodyBytesMax);
    const bad = await post(`${under.url}/call`, { long }, { authorization: 'Bearer registry-agent-sk-none' });
    expect([bad.status, (await bad.json()) as unknown]).toMatchObject([422, { code: 'validation_failed' }]);
    const sound = { caller_agent_id: 'a', agent_id: 'b', message: { long } };
    const unknown = await post(`${under.url}/call`, sound, { authorization: 'Bearer registry-agent-sk-none' });
    expect([unknown.status, (await unknown.json()) as unknown]).toMatchObject([401, { code: 'invalid_credential' }]);
  });

  it('uses no capacity of authenticated callers, however many bodies it starts', async () => {
    const refused: string[] = [];
    for (let index = 0; index < edgeLimits.longBodies.ownerMax + 4; index += 1) {
      const socket = await beginLongBody(index % 2 === 0 ? [] : ['authorization: Bearer registry-agent-sk-none']);
      void answerOf(socket).then((text) => refused.push(text));
    }
    await waitFor(() => refused.length === 4, { description: 'those beyond what one address may begin' });
    for (const text of refused) expect(text).toMatch(/^HTTP\/1\.1 503 [\s\S]*"code":"overloaded"/u);
    const modest = await hold('modest', perCallerMax);
    finishAll();
    expect((await Promise.all(modest)).map(({ status }) => status)).toEqual(modest.map(() => 200));
  });
});
