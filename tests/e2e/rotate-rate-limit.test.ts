import { beforeAll, expect, it } from 'vitest';
import { adminToken, type Answer, ask, freshClient, gateways, join, type Member, post } from '../support/ask.ts';
import { rotate as rotateSigned, signer } from '../support/signer.ts';
import { served } from '../support/served.ts';

let target: Member;
beforeAll(async () => {
  target = await join();
});

const rotate = (agentId: string, client: Record<string, string>, turn = 0, headers: Record<string, string> = {}) =>
  post('/rotate', { agent_id: agentId }, { ...client, ...headers }, gateways[turn % 2]);

const expectLimited = (answer: Answer): void => {
  expect([answer.status, answer.body['code']]).toEqual([429, 'rate_limited']);
  const seconds = Number(answer.headers.get('retry-after'));
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(61);
};

it('an address has five requests a minute over all gateways, whatever their credentials and outcome', async () => {
  const client = freshClient();
  const answers = [
    await rotate('nobody at all', client, 0),
    await rotate(target.agentId, client, 1, adminToken),
    await rotate(target.agentId, client, 0, { 'x-api-key': 'nonsense' }),
    await rotate('', client, 1),
    await ask('POST', '/rotate', { headers: client, body: '{broken' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 200, 403, 422, 422]);
  for (const turn of [0, 1]) expectLimited(await rotate(target.agentId, client, turn, adminToken));
  // The limit of one address does not affect another.
  expect((await rotate(target.agentId, freshClient(), 0, adminToken)).status).toBe(200);
});

it('an agent has five anonymous requests a minute, from all addresses together, and its owner is not locked out', async () => {
  const { agentId, auth } = await join();
  for (let turn = 0; turn < 5; turn += 1) expect((await rotate(agentId, freshClient(), turn)).status).toBe(200);
  for (const turn of [0, 1]) expectLimited(await rotate(agentId, freshClient(), turn));
  expect((await rotate(agentId, freshClient(), 0, auth)).status).toBe(200);
  expect((await rotate(agentId, freshClient(), 1, adminToken)).status).toBe(200);
});

it('authenticated requests do not use up the limit of anonymous callers', async () => {
  const { agentId } = await join();
  for (let turn = 0; turn < 8; turn += 1)
    expect((await rotate(agentId, freshClient(), turn, adminToken)).status).toBe(200);
  expect((await rotate(agentId, freshClient())).status).toBe(200);
});

it('a signature is a credential: its requests do not count against the agent, and anonymous callers cannot lock it out', async () => {
  const key = await signer({ contact_email: 'owner@agent.example' });
  for (let turn = 0; turn < 6; turn += 1) expect((await rotateSigned(key)).status).toBe(200);
  for (let turn = 0; turn < 5; turn += 1) expect((await rotate(key.keyId, freshClient(), turn)).status).toBe(200);
  expectLimited(await rotate(key.keyId, freshClient()));
  expect((await rotateSigned(key)).status).toBe(200);
});

it('requests for many agents count for their address alone, and those from many addresses for their agent alone', async () => {
  const client = freshClient();
  for (let turn = 0; turn < 5; turn += 1) expect((await rotate(`nobody ${turn}`, client, turn)).status).toBe(404);
  expectLimited(await rotate('nobody 5', client));
  const { agentId } = await join();
  expect((await rotate(agentId, freshClient())).status).toBe(200);
});

it('thirty at once over two gateways: exactly five pass', async () => {
  const client = freshClient();
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, turn) => served(() => rotate(target.agentId, client, turn, adminToken))),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(5);
  expect(statuses.filter((status) => status === 429)).toHaveLength(25);
});

it('an IPv6 client is its /64 network', async () => {
  const network = `2001:db8:${process.pid.toString(16).slice(-4)}:${(Date.now() & 0xffff).toString(16)}`;
  const from = (host: string) => ({ 'x-forwarded-for': `${network}::${host}` });
  for (let host = 1; host <= 5; host += 1)
    expect((await rotate(target.agentId, from(String(host)), host, adminToken)).status).toBe(200);
  expectLimited(await rotate(target.agentId, from('6'), 0, adminToken));
});

it('GET /rotate has no limit', async () => {
  const client = freshClient();
  for (let turn = 0; turn < 12; turn += 1)
    expect((await ask('GET', '/rotate?token=x', { headers: client })).status).toBe(400);
});
