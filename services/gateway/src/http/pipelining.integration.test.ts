/**
 * Bugs: one connection that sends thousands of requests at once keeps everybody else waiting, also when it is closed; what follows a request as
 * garbage replaces the answer to that request, which was carried out.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { explainTrust, registerAgent } from '@agent-trust/contracts';
import { waitFor } from '@agent-trust/test-kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type GatewayUnderTest, startGatewayUnderTest } from '../testing/gateway-under-test.ts';

let under: GatewayUnderTest;
beforeEach(async () => {
  under = await startGatewayUnderTest();
});
afterEach(() => under.stop());

const open = async (): Promise<{ socket: Socket; received: () => string }> => {
  const { hostname, port } = new URL(under.url);
  const socket = connect({ host: hostname, port: Number(port) });
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => void (received += text));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return { socket, received: () => received };
};

const trust = (agentId: string): string => `GET /agent/${agentId}/trust HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const asked = (): string[] => under.bus.inputsOf(explainTrust).map(({ agentId }) => agentId);
/** Answers that the test gives, in the order of the questions. */
const heldAnswers = (): (() => void)[] => {
  const answers: (() => void)[] = [];
  under.bus.answer(
    explainTrust,
    () => new Promise((resolve) => answers.push(() => resolve({ trust: null, reviewsTotal: 0 }))) as never,
  );
  return answers;
};

it('serves the requests of one connection one after the other, in their order', async () => {
  const answers = heldAnswers();
  const { socket, received } = await open();
  socket.write(Array.from({ length: 2_000 }, (_, index) => trust(`a${index}`)).join(''));
  for (let served = 0; served < 5; served += 1) {
    await waitFor(() => answers.length > served);
    // Another connection is served meanwhile.
    expect((await fetch(`${under.url}/nothing`)).status).toBe(404);
    expect(asked()).toHaveLength(served + 1);
    answers[served]?.();
  }
  await waitFor(() => answers.length === 6);
  expect(asked()).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'a5']);
  expect(received().match(/HTTP\/1\.1 404/gu)).toHaveLength(5);
  socket.destroy();
});

it('reads on when those that waited are served', async () => {
  under.bus.answer(explainTrust, () => ({ trust: null, reviewsTotal: 0 }));
  const { socket, received } = await open();
  // Several times what Node reads at once, which is 64 KiB.
  const count = 100;
  const long = `\r\nX-Long: ${'x'.repeat(2_000)}\r\n\r\n`;
  const requests = Array.from({ length: count }, (_, index) => trust(`a${index}`).replace('\r\n\r\n', long));
  socket.write(requests.join(''));
  await waitFor(() => received().match(/HTTP\/1\.1 404/gu)?.length === count);
  expect(asked()).toEqual(Array.from({ length: count }, (_, index) => `a${index}`));
  socket.destroy();
});

it('drops the requests of a connection that is closed', async () => {
  const answers = heldAnswers();
  const { socket } = await open();
  socket.write(Array.from({ length: 500 }, (_, index) => trust(`a${index}`)).join(''));
  await waitFor(() => answers.length === 1);
  socket.resetAndDestroy();
  // Each of the next few answers may still go into a connection whose end is not known yet.
  for (let served = 0; served < 20 && answers.length > served; served += 1) {
    answers[served]?.();
    await (await fetch(`${under.url}/nothing`)).text();
  }
  expect(answers.length).toBeLessThan(20);
});

it('answers what was carried out, before a request that breaks off', async () => {
  const { socket, received } = await open();
  socket.end(`${register('')}${register('').slice(0, -5)}`);
  await once(socket, 'close');
  expect(under.bus.inputsOf(registerAgent)).toHaveLength(1);
  expect(received()).toMatch(/^HTTP\/1\.1 201 [^]*HTTP\/1\.1 400 /u);
});

const register = (headers: string): string => {
  const body = JSON.stringify({ agent_id: 'made', contact_email: 'a@b.test' });
  return `POST /register HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
};

it.each([
  ['garbage', '', 'GARBAGE\r\n\r\n', /^HTTP\/1\.1 201 [^]*"agent_id":"made"[^]*HTTP\/1\.1 400 [^]*malformed_request/u],
  ['more after Connection: close', 'Connection: close\r\n', trust('a'), /^HTTP\/1\.1 201 (?:(?!HTTP\/1\.1 )[^])*$/u],
])('answers what was carried out, before %s', async (_what, headers, rest, expected) => {
  const { socket, received } = await open();
  socket.write(register(headers) + rest);
  await once(socket, 'close');
  expect(under.bus.inputsOf(registerAgent)).toHaveLength(1);
  expect(received()).toMatch(expected);
});

it('has a line in the log for what never became a request', async () => {
  const { socket, received } = await open();
  socket.write('GARBAGE\r\n\r\n');
  await once(socket, 'close');
  const [, requestId] = /X-Request-Id: (\S+)/u.exec(received()) ?? [];
  expect(under.logged()).toContain(`"status":400,"duration_ms":0,"request_id":"${requestId}"`);
});
