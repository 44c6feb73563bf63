/**
 * Bugs meant: what one pay-proxy knows and another needs: the demand that a payment answers, the settlement that another is just recording,
 * the call that a payment refers to; and a proxy of several that gets all the work.
 * Method: a system of its own with three pay-proxies and two gateways. A request finds its proxy by chance, so each thing is done so often
 * that all of them staying with one proxy happens once in 10^13 times.
 */
import { type Stack, startStack } from '@agent-trust/dev-stack';
import { waitFor } from '@agent-trust/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { untilHealthy } from '../chaos/support/invariants.ts';
import { readWholeLog } from '../chaos/support/raw-log.ts';
import { type RecordingAgent, type Respond, respondJson, startRecordingAgent } from '../support/recording-agent.ts';
import {
  bearer,
  callBody,
  createOrganisation,
  httpTo,
  type Member,
  orgKey,
  registerAgent,
  textMessage,
  unique,
} from '../support/registry.ts';

const proxies = ['pay-proxy', 'pay-proxy-2', 'pay-proxy-3'];
/** Of 30, all go to one of three with a chance of 3^-29. */
const many = 30;

type Row = Record<string, unknown>;

let stack: Stack;
let urls: readonly [string, string];
let owner: { key: string };
let agent: RecordingAgent;
let respond: Respond;
let agentId: string;
let caller: Member;
/** Payments that each proxy has carried to an agent that breaks off: those are told of in its log. */
const carriedBy = new Map<string, number>();

beforeAll(async () => {
  stack = await startStack({
    ephemeral: true,
    fsync: false,
    env: { ...process.env, GATEWAYS: '2', PAY_PROXIES: String(proxies.length) },
    onLog: (name, line) => {
      if (line.includes('the paid agent did not answer')) carriedBy.set(name, (carriedBy.get(name) ?? 0) + 1);
    },
  });
  const [first = '', second = ''] = stack.urls;
  urls = [first, second];
  agent = await startRecordingAgent((...all) => respond(...all));
  owner = await createOrganisation(stack);
  ({ agentId } = await registerAgent(httpTo(first), { key: owner.key, fields: { endpoint_url: agent.url } }));
  caller = await registerAgent(httpTo(first), { key: (await createOrganisation(stack)).key });
});
afterAll(async () => {
  await stack?.stop();
  await agent?.stop();
});

const code = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');
const decode = (header: string | null | undefined): Row =>
  JSON.parse(Buffer.from(header ?? '', 'base64').toString()) as Row;
const settled = (transaction: string, network = 'base-sepolia'): Record<string, string> => ({
  'x-payment-response': code({ success: true, transaction, network }),
});
const paying = {
  'x-payment': code({ x402Version: 1, scheme: 'exact', network: 'base-sepolia', payload: { signature: '0x1' } }),
};
let transactions = 0;
const newTransaction = (): string => `0x${(transactions += 1).toString(16).padStart(64, '0')}`;

/** Payments at once, over both gateways in turn. */
const payMany = (
  count: number,
  path = `/pay/${agentId}`,
  headers: (index: number) => Record<string, string> = () => paying,
): Promise<Response[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const response = await fetch(`${urls[index % 2]}${path}`, { headers: headers(index) });
      await response.clone().arrayBuffer();
      return response;
    }),
  );
const payments = async (url = urls[0]): Promise<Row[]> =>
  (await (await fetch(`${url}/org/payments?limit=1000`, { headers: orgKey(owner.key) })).json()) as Row[];

it('each of the proxies gets its share of the payments', async () => {
  respond = (_request, response) => void response.destroy();
  const count = 150;
  for (let done = 0; done < count; done += many) {
    // With a key, since chance may give one proxy more than it takes of one address without.
    const answers = await payMany(many, undefined, () => ({ ...paying, ...bearer(caller.key) }));
    expect(answers.filter(({ status }) => status !== 502)).toEqual([]);
    // An agent that answers now and then is not given up.
    respond = respondJson(200, {});
    await payMany(proxies.length * 6);
    respond = (_request, response) => void response.destroy();
  }
  await waitFor(() => [...carriedBy.values()].reduce((sum, payments) => sum + payments, 0) === count, {
    description: 'a line for each payment',
  });
  // A fair choice gives each 50 of 150; fewer than 25 for any of three happens once in 100,000 times.
  expect([...carriedBy.keys()].toSorted()).toEqual(proxies);
  expect(Math.min(...carriedBy.values())).toBeGreaterThanOrEqual(25);
});

describe('a demand that was seen by one proxy', () => {
  /** Asks once, and answers the demand as a client of x402 v2 accepts it, less the amount: that is told by the demand alone. */
  const demanded = async (): Promise<string> => {
    respond = (_request, response) =>
      void response
        .writeHead(402, {
          'payment-required': code({
            x402Version: 2,
            resource: { url: agent.url },
            accepts: [
              {
                scheme: 'exact',
                network: 'eip155:84532',
                amount: '4200',
                asset: '0xToken',
                payTo: '0xPayee',
                extra: { decimals: 3, receipts: `${agent.url}/receipts` },
              },
            ],
          }),
        })
        .end('{}');
    const [answer] = await payMany(1, `/pay/${agentId}?city=Lyon`, () => ({}));
    const demand = decode(answer?.headers.get('payment-required'));
    const [{ amount: _, ...accepted } = {}] = demand['accepts'] as Row[];
    return code({ x402Version: 2, resource: demand['resource'], accepted, payload: { signature: '0x2' } });
  };
  const payDemand = async (count: number, signature: string): Promise<Row[]> => {
    const before = (await payments()).length;
    const asked = agent.received.length;
    respond = (...all) => respondJson(200, {}, settled(newTransaction(), 'eip155:84532'))(...all);
    const answers = await payMany(count, `/pay/${agentId}?city=Lyon`, () => ({ 'payment-signature': signature }));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    // Back in the agent's own words, which the client has never seen.
    for (const { headers } of agent.received.slice(asked))
      expect(decode(String(headers['payment-signature']))).toMatchObject({
        resource: { url: agent.url },
        accepted: { extra: { receipts: `${agent.url}/receipts` } },
      });
    const all = await payments();
    expect(all).toHaveLength(before + count);
    return all.slice(0, count);
  };
  const fromDemand = { amount_atomic: '4200', amount: 4.2, currency: '0xToken', payee_address: '0xPayee' };

  it('is known to whichever gets the payment', async () => {
    const rows = await payDemand(many, await demanded());
    for (const row of rows) expect(row).toMatchObject(fromDemand);
  });

  it('is known when all of them have been replaced since', async () => {
    const signature = await demanded();
    const restarts = proxies.map((name) => stack.restartCount(name));
    for (const name of proxies) stack.kill(name, 'SIGTERM');
    await waitFor(() => proxies.every((name, index) => stack.restartCount(name) > (restarts[index] ?? 0)), {
      timeoutMs: 30_000,
      description: 'all pay-proxies to be replaced',
    });
    await untilHealthy(stack);
    const [row] = await payDemand(1, signature);
    expect(row).toMatchObject(fromDemand);
  });
});

it('one payment response that all proxies are told at once is recorded once', async () => {
  const other = await registerAgent(httpTo(urls[0]), { key: owner.key, fields: { endpoint_url: agent.url } });
  const before = (await payments()).length;
  const transaction = newTransaction();
  let asked = 0;
  const release = Promise.withResolvers<void>();
  respond = async (request, response, raw) => {
    // All answers leave at one moment, under both names of the network.
    asked += 1;
    const network = asked % 2 === 0 ? 'base-sepolia' : 'eip155:84532';
    if (asked === many) release.resolve();
    await release.promise;
    await respondJson(200, {}, settled(transaction, network))(request, response, raw);
  };
  const answers = await Promise.all([
    payMany(many / 2),
    payMany(many / 2, `/pay/${other.agentId}`, () => ({ ...paying, ...bearer(caller.key) })),
  ]);
  expect(answers.flat().filter(({ status }) => status !== 200)).toEqual([]);
  expect(await payments()).toHaveLength(before + 1);
  const reported = (await readWholeLog(stack)).filter(
    ({ type, data }) => type === 'SettlementRecorded' && data['confirmationRef'] === transaction,
  );
  expect(reported).toHaveLength(1);
});

it('a payment belongs to the caller of a call that went through another gateway, and is seen through both', async () => {
  for (const [calledAt, paidAt] of [urls, urls.toReversed() as [string, string]]) {
    respond = respondJson(200, {});
    const called = await httpTo(calledAt).post(
      '/call',
      callBody(caller, agentId, textMessage('hello')),
      bearer(caller.key),
    );
    expect(called.status).toBe(200);
    const transaction = newTransaction();
    respond = respondJson(200, {}, settled(transaction));
    const callRef = String(called.body['transaction_id']);
    const paid = await fetch(`${paidAt}/pay/${agentId}?call_ref=${callRef}`, { headers: paying });
    expect([paid.status, paid.headers.get('x-registry-attribution')]).toEqual([200, 'call_ref']);
    for (const url of urls)
      expect((await payments(url))[0]).toMatchObject({
        confirmation_ref: transaction,
        caller_agent_id: caller.agentId,
      });
    const operators = await fetch(`${calledAt}/ops/settlements?limit=1`, { headers: bearer(stack.adminToken) });
    expect(await operators.json()).toEqual([expect.objectContaining({ call_ref: callRef })]);
  }
});

it('payments of many payers at once are each recorded, for whom they are', async () => {
  const before = (await payments()).length;
  const transactionOf = new Map<string, string>();
  const payers = await Promise.all(
    Array.from({ length: 6 }, () => registerAgent(httpTo(urls[0]), { key: owner.key, agentId: unique('payer') })),
  );
  respond = (request, response, raw) => {
    const transaction = newTransaction();
    transactionOf.set(transaction, String(request.headers['x-payer']));
    return respondJson(200, {}, settled(transaction))(request, response, raw);
  };
  const answers = await payMany(90, `/pay/${agentId}`, (index) => {
    const payer = payers[index % payers.length] as Member;
    return { ...paying, ...bearer(payer.key), 'x-payer': payer.agentId };
  });
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  const rows = (await payments()).slice(0, -before);
  expect(rows).toHaveLength(90);
  for (const { confirmation_ref: ref, caller_agent_id: payer } of rows)
    expect(payer).toBe(transactionOf.get(String(ref)));
});
