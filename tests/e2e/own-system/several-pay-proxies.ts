/**
 * Bugs: one pay-proxy lacks what another one knows: the demand that a payment answers, the settlement that is just being recorded, the call
 * that a payment refers to; and one of several proxies gets all the work.
 * Method: a separate system with three pay-proxies and two gateways, whose pay-proxies the tests replace. A request reaches a random proxy, so each step is repeated until the
 * chance that all repetitions reach one proxy is 1 in 10^13.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stack } from '@agent-trust/dev-stack';
import { waitFor } from '@agent-trust/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { untilHealthy } from '../../chaos/support/invariants.ts';
import { readWholeLog } from '../../chaos/support/raw-log.ts';
import { type RecordingAgent, type Respond, respondJson, startRecordingAgent } from '../../support/recording-agent.ts';
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
} from '../../support/registry.ts';

export const proxies = ['pay-proxy', 'pay-proxy-2', 'pay-proxy-3'];
/** All 30 go to one of three proxies with a chance of 3^-29. */
const many = 30;

type Row = Record<string, unknown>;

let stack: Stack;
let urls: readonly [string, string];
let owner: { key: string };
let agent: RecordingAgent;
let respond: Respond;
let agentId: string;
let caller: Member;

/** The payments of each proxy, counted by its log lines about an agent that breaks off. */
const paymentCounts = (): number[] =>
  proxies.map((name) => {
    const lines = readFileSync(join(stack.dataDir, 'logs', `${name}.log`), 'utf8').split('\n');
    return lines.filter((line) => line.includes('the paid agent did not answer')).length;
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

/** Concurrent payments, over both gateways in turn. */
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
/** The payments once there are so many: a settlement that a busy log does not take in time is recorded later, from the outbox. */
const paymentsOnceThere = async (count: number): Promise<Row[]> => {
  const all = await waitFor(
    async () => {
      const listed = await payments();
      return listed.length >= count ? listed : null;
    },
    { description: `${count} payments on record` },
  );
  expect(all).toHaveLength(count);
  return all;
};

export function testSeveralPayProxies(stackOf: () => Stack): void {
  beforeAll(async () => {
    stack = stackOf();
    const [first = '', second = ''] = stack.urls;
    urls = [first, second];
    agent = await startRecordingAgent((...all) => respond(...all));
    owner = await createOrganisation(stack);
    ({ agentId } = await registerAgent(httpTo(first), { key: owner.key, fields: { endpoint_url: agent.url } }));
    caller = await registerAgent(httpTo(first), { key: (await createOrganisation(stack)).key });
  });
  afterAll(() => agent?.stop());

  it('the payments are spread over all proxies', async () => {
    respond = (_request, response) => void response.destroy();
    const count = 150;
    for (let done = 0; done < count; done += many) {
      // With a key: without one, a proxy limits the requests of one address, and chance may exceed that limit.
      const answers = await payMany(many, undefined, () => ({ ...paying, ...bearer(caller.key) }));
      expect(answers.filter(({ status }) => status !== 502)).toEqual([]);
      // An agent that answers now and then keeps its circuit closed.
      respond = respondJson(200, {});
      await payMany(proxies.length * 6);
      respond = (_request, response) => void response.destroy();
    }
    await waitFor(() => paymentCounts().reduce((sum, payments) => sum + payments, 0) === count, {
      description: 'a line for each payment',
    });
    // On average each proxy gets 50 of 150 payments; the chance that any of the three gets fewer than 25 is 1 in 100,000.
    expect(Math.min(...paymentCounts())).toBeGreaterThanOrEqual(25);
  });

  describe('a demand that one proxy has relayed', () => {
    /** Requests once, and answers the demand as a client of x402 v2 does, without the amount: only the demand has it. */
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
      const receivedBefore = agent.received.length;
      respond = (...all) => respondJson(200, {}, settled(newTransaction(), 'eip155:84532'))(...all);
      // With a key, for the same reason as above.
      const answers = await payMany(count, `/pay/${agentId}?city=Lyon`, () => ({
        ...bearer(caller.key),
        'payment-signature': signature,
      }));
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
      // The payment arrives in the agent's own words, which the client has never seen.
      for (const { headers } of agent.received.slice(receivedBefore))
        expect(decode(String(headers['payment-signature']))).toMatchObject({
          resource: { url: agent.url },
          accepted: { extra: { receipts: `${agent.url}/receipts` } },
        });
      return (await paymentsOnceThere(before + count)).slice(0, count);
    };
    const fromDemand = { amount_atomic: '4200', amount: 4.2, currency: '0xToken', payee_address: '0xPayee' };

    it('is known to every proxy', async () => {
      const rows = await payDemand(many, await demanded());
      for (const row of rows) expect(row).toMatchObject(fromDemand);
    });

    it('is known after all proxies were replaced', async () => {
      const signature = await demanded();
      const restarts = proxies.map((name) => stack.restartCount(name));
      for (const name of proxies) stack.kill(name, 'SIGTERM');
      await waitFor(() => proxies.every((name, index) => stack.restartCount(name) > (restarts[index] ?? 0)), {
        timeoutMs: 120_000,
        description: 'all pay-proxies to be replaced',
      });
      await untilHealthy(stack);
      const [row] = await payDemand(1, signature);
      expect(row).toMatchObject(fromDemand);
    });
  });

  it('one payment response that all proxies receive at once is recorded once', async () => {
    const other = await registerAgent(httpTo(urls[0]), { key: owner.key, fields: { endpoint_url: agent.url } });
    const before = (await payments()).length;
    const transaction = newTransaction();
    let requestCount = 0;
    const release = Promise.withResolvers<void>();
    respond = async (request, response, raw) => {
      // All answers leave at the same moment, under both names of the network.
      requestCount += 1;
      const network = requestCount % 2 === 0 ? 'base-sepolia' : 'eip155:84532';
      if (requestCount === many) release.resolve();
      await release.promise;
      await respondJson(200, {}, settled(transaction, network))(request, response, raw);
    };
    const answers = await Promise.all([
      payMany(many / 2),
      payMany(many / 2, `/pay/${other.agentId}`, () => ({ ...paying, ...bearer(caller.key) })),
    ]);
    expect(answers.flat().filter(({ status }) => status !== 200)).toEqual([]);
    await paymentsOnceThere(before + 1);
    const reported = (await readWholeLog(stack)).filter(
      ({ type, data }) => type === 'SettlementRecorded' && data['confirmationRef'] === transaction,
    );
    expect(reported).toHaveLength(1);
  });

  it('a payment belongs to the caller of a call through another gateway, and is visible through both', async () => {
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

  it('concurrent payments of many payers are each recorded for their payer', async () => {
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
    const rows = (await paymentsOnceThere(before + 90)).slice(0, -before);
    expect(rows).toHaveLength(90);
    for (const { confirmation_ref: ref, caller_agent_id: payer } of rows)
      expect(payer).toBe(transactionOf.get(String(ref)));
  });
}
