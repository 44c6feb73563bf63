/**
 * Bug: every limit holds for each call, and together they exhaust a process: forty messages of 10 MB take the gateway and a call-proxy to 800 MB
 * each, twice what docker-compose.yml gives them, and answers do the same.
 * Method: a system with the heap of the compose file. Forty long messages of agents with and without an organisation arrive at once, at an agent
 * that does not answer yet; then forty calls are answered with 10 MiB each, at once. As many as fit their callers' budget are carried and the
 * others are refused with 503; small calls are served all the while; and no process may ever have held more than the container has. At last
 * nobody reads the streams of agents that send as fast as they may.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Stack } from '@agent-trust/dev-stack';
import { limits } from '@agent-trust/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  bearer,
  callBody,
  createOrganisation,
  type Http,
  httpTo,
  type Member,
  registerAgent,
  textMessage,
} from '../support/registry.ts';
import { startChaosStack } from './support/chaos-stack.ts';
import { untilServed } from './support/until-served.ts';
import { waitFor } from './support/wait-for.ts';

/** Less heap than in any container of docker-compose.yml, where it is half of the memory. */
const nodeOptions = '--max-old-space-size=192';
/** Resident bytes of a process: a tenth less than the smallest container has. When garbage is collected depends on the machine. */
const residentMax = 0.9 * 512 * 1_024 * 1_024;
const ours = /^(?:gateway|call-proxy|pay-proxy|registry-write|trust-projection)/u;
const callersOfEachKind = 20;
const streamsOfEach = 4;
/** `edgeLimits.requestTimeoutMs` of the gateway: from the first byte of a request to its last. */
const requestMsMax = 60_000;
const messageBytes = 9_900_000;
const answerBytes = limits.callAnswerBytesMax;

let stack: Stack;
let http: Http;
/** Agents without an organisation, and each of an organisation of its own. */
let unaffiliated: Member[];
let affiliated: Member[];
let receivers: Record<'silent' | 'long' | 'small', string> & { endless: string[] };
let sentWithoutEnd = 0;
const waiting: ServerResponse[] = [];
const longAnswer = Buffer.from(`{"x":"${'y'.repeat(answerBytes - 8)}"}`);
const event = Buffer.from(`data: ${'y'.repeat(65_536)}\n\n`);
const sendWithoutEnd = (response: ServerResponse): void => {
  while (!response.destroyed) {
    sentWithoutEnd += event.length;
    if (!response.write(event)) return void response.once('drain', () => sendWithoutEnd(response));
  }
};
/** A host gets a quarter of a proxy's calls. */
const endlessAgents = Array.from({ length: 4 }, () =>
  createServer((_request, response) => {
    response.setHeader('content-type', 'text/event-stream');
    sendWithoutEnd(response);
  }),
);
const agent = createServer((request, response) => {
  request.resume().once('end', () => {
    response.setHeader('content-type', 'application/json');
    if (request.url === '/silent') waiting.push(response);
    else response.end(request.url === '/long' ? longAnswer : '{}');
  });
});

beforeAll(async () => {
  for (const one of [agent, ...endlessAgents]) await once(one.listen(0, '127.0.0.1'), 'listening');
  stack = await startChaosStack({ CALL_TIMEOUT_MS: '100000', NODE_OPTIONS: nodeOptions });
  http = httpTo(stack.url);
  const { key } = await createOrganisation(stack);
  const receive = async (path: string, at = agent): Promise<string> => {
    const url = `http://127.0.0.1:${(at.address() as AddressInfo).port}`;
    const fields = { endpoint_url: `${url}/${path}`, message_protocol: 'raw' };
    return (await registerAgent(http, { key, fields })).agentId;
  };
  receivers = {
    silent: await receive('silent'),
    long: await receive('long'),
    small: await receive('small'),
    endless: await Promise.all(endlessAgents.map((one) => receive('endless', one))),
  };
  unaffiliated = [];
  affiliated = [];
  for (let index = 0; index < callersOfEachKind; index += 1) {
    unaffiliated.push(await registerAgent(http));
    affiliated.push(await registerAgent(http, { key: (await createOrganisation(stack)).key }));
  }
});
afterAll(async () => {
  for (const one of [agent, ...endlessAgents]) {
    one.closeAllConnections();
    one.close();
  }
  await stack?.stop();
});

const call = async (caller: Member, agentId: string, message: unknown) => {
  const beganAt = performance.now();
  const { status, body, headers, text } = await http.post(
    '/call',
    callBody(caller, agentId, message),
    bearer(caller.key),
  );
  const retryAfter = headers.get('retry-after');
  const tookMs = performance.now() - beganAt;
  return { status, body, headers, code: body['code'], retryAfter, length: text.length, tookMs };
};
const smallOnce = (caller: Member) => call(caller, receivers.small, textMessage('small'));
const small = (caller: Member) => untilServed(() => smallOnce(caller));
const peakBytes = (pid: number | undefined): number =>
  Number(/^VmHWM:\s+(\d+) kB/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;
const count = (answers: readonly { status: number }[], wanted: number): number =>
  answers.filter(({ status }) => status === wanted).length;

/** What has gone wrong with the processes: too much memory at any time, or a restart. */
const troubles = (): unknown[] => {
  const processes = stack.processes().map((one) => ({ ...one, peak: ours.test(one.name) ? peakBytes(one.pid) : 0 }));
  if (process.env['CHAOS_FIGURES'] !== undefined) process.stderr.write(`  ${JSON.stringify(processes)}\n`);
  return processes.filter(({ restarts, peak }) => restarts > 0 || !(peak < residentMax));
};

it('long messages are carried as far as their callers have room, and the others are refused', async () => {
  const message = { x: 'y'.repeat(messageBytes) };
  const sent = [...unaffiliated, ...affiliated].map((caller) => call(caller, receivers.silent, message));
  const ended: Awaited<(typeof sent)[number]>[] = [];
  for (const one of sent) void one.then((answer) => ended.push(answer));
  await waitFor(() => ended.length + waiting.length === sent.length, {
    description: 'every long call at its agent or refused',
  });
  // The gateway holds 100 MiB of all; of agents without an organisation 30.
  expect(waiting.length).toBeGreaterThanOrEqual(4);
  expect(waiting.length).toBeLessThanOrEqual(10);
  // On a busy machine a long body may take longer than a request may.
  const refused = ended.filter(({ status, tookMs }) => !(status === 408 && tookMs >= requestMsMax));
  for (const answer of refused) expect(answer).toMatchObject({ status: 503, retryAfter: '1' });
  // A machine that is busy with so many may not get to look a caller up; the others find no room.
  const codes = refused.map(({ code }) => code);
  expect(codes.filter((code) => code !== 'overloaded' && code !== 'unavailable')).toEqual([]);
  expect(codes.filter((code) => code === 'overloaded').length).toBeGreaterThanOrEqual(sent.length / 4);
  // Short ones need no room.
  for (const caller of [unaffiliated[0], affiliated[0]]) expect((await small(caller as Member)).status).toBe(200);
  for (const response of waiting.splice(0)) response.end('{}');
  const answers = await Promise.all(sent);
  expect(count(answers, 200) + count(answers, 503) + count(answers, 408)).toBe(sent.length);
  expect(count(answers.slice(0, callersOfEachKind), 200)).toBeLessThanOrEqual(3);
  // The room is free again.
  const again = untilServed(() => call(unaffiliated[0] as Member, receivers.silent, message));
  await waitFor(() => waiting.length === 1, { description: 'the next long call' });
  for (const response of waiting.splice(0)) response.end('{}');
  expect((await again).status).toBe(200);
  expect(troubles()).toEqual([]);
}, 600_000);

it('a message of 850,000 members reaches no agent, and is refused with its path', async () => {
  const content = `{${Array.from({ length: 850_000 }, (_, index) => `"k${index}":1`).join()}}`;
  const body = JSON.stringify(callBody(unaffiliated[0] as Member, receivers.silent, { params: '@' }));
  const text = body.replace('"@"', () => content);
  const answer = await untilServed(() => http.post('/call', text, bearer((unaffiliated[0] as Member).key)));
  expect([answer.status, answer.body['detail']]).toMatchObject([422, [{ loc: ['body', 'message', 'params'] }]]);
  expect(waiting).toHaveLength(0);
  expect(troubles()).toEqual([]);
});

it('long answers wait for their turn, and every caller gets its own', async () => {
  const callers = [...unaffiliated, ...affiliated];
  const sent = callers.map((caller) => call(caller, receivers.long, textMessage('long')));
  const served = await Promise.all(affiliated.map(smallOnce));
  // A busy machine may refuse some for now.
  for (const { status, retryAfter } of served) expect(['200 null', '503 1']).toContain(`${status} ${retryAfter}`);
  expect(count(served, 200)).toBeGreaterThanOrEqual(served.length / 2);
  const answers = await Promise.all(sent);
  // Whoever waits too long in a busy market is refused; nobody is answered with less than all.
  expect(answers.filter(({ status }) => ![200, 429, 503].includes(status))).toEqual([]);
  expect(answers.filter(({ status, length }) => status === 200 && length < answerBytes)).toEqual([]);
  expect(count(answers, 200)).toBeGreaterThanOrEqual(callersOfEachKind / 2);
  expect(troubles()).toEqual([]);
}, 600_000);

it('answers of agents that send as fast as they may, to clients that do not read, wait at their agents', async () => {
  const refusals: unknown[] = [];
  const open = async (caller: Member, receiver: string) => {
    const request = httpRequest(`${stack.url}/call`, {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/json', ...bearer(caller.key) },
    });
    request.end(JSON.stringify(callBody(caller, receiver, textMessage('endless', 'message/stream'))));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    // Nobody reads the answer; only a refusal, which says when to come again.
    if (response.statusCode === 200) return request;
    response.resume();
    refusals.push([response.statusCode, response.headers['retry-after']]);
    return null;
  };
  const streams: ClientRequest[] = await Promise.all(
    Array.from({ length: streamsOfEach }, () => [...unaffiliated, ...affiliated])
      .flat()
      .map((caller, index) =>
        waitFor(() => open(caller, receivers.endless[index % receivers.endless.length] ?? ''), {
          intervalMs: 1_000,
          description: 'a place for the stream',
        }),
      ),
  );
  // A busy machine may have no place for all at once.
  for (const refusal of refusals) expect(refusal).toEqual([503, '1']);
  let before = -1;
  await waitFor(
    () => {
      const isStill = sentWithoutEnd === before;
      before = sentWithoutEnd;
      return isStill;
    },
    { intervalMs: 3_000, timeoutMs: 240_000, description: 'agents that can send no more' },
  );
  expect(sentWithoutEnd / streams.length).toBeLessThan(16 * 1_024 * 1_024);
  expect((await small(affiliated[0] as Member)).status).toBe(200);
  expect(troubles()).toEqual([]);
  for (const request of streams) request.destroy();
}, 600_000);
