import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, createOrg, get, type HeaderMap, type Org, stack } from '../support/ask.ts';
import { unique } from '../support/registry.ts';

let org: Org;
let rival: Org;
let database: pg.Client;
const receiver = unique('receiver');
const payments = 205;

const idOf = async ({ name }: Org): Promise<string> => {
  const { rows } = await database.query<{ id: string }>(
    'SELECT org_id AS id FROM read_models.organisation WHERE org_name = $1',
    [name],
  );
  return rows[0]?.id ?? '';
};
// Rows inserted by the test: paging does not depend on their origin.
const pay = (orgId: string, universe: string, from: number, count: number): Promise<unknown> =>
  database.query(
    `INSERT INTO read_models.org_payment (position, org_id, universe, transaction_id, receiver_agent_id, settlement_rail, amount, currency, settled_at, recorded_at)
     SELECT -n, $1, $2, 'tx-' || n, $3, 'x402', n / 4.0, 'USDC', '2026-01-01T00:00:00Z', now() FROM generate_series($4::int, $4::int + $5::int - 1) n`,
    [orgId, universe, receiver, from, count],
  );

beforeAll(async () => {
  database = new pg.Client({ connectionString: stack.readModelsUrl });
  await database.connect();
  [org, rival] = [await createOrg(), await createOrg()];
  const [orgId, rivalId] = [await idOf(org), await idOf(rival)];
  await pay(orgId, 'production', 1_000, payments);
  await pay(orgId, `sandbox:${orgId}`, 2_000, 2);
  await pay(rivalId, 'production', 3_000, 1);
});
afterAll(async () => {
  await database.query('DELETE FROM read_models.org_payment WHERE receiver_agent_id = $1', [receiver]);
  await database.end();
});

const page = async (key: HeaderMap, query = ''): Promise<[unknown[], string | null]> => {
  const { list, headers } = await get(`/org/payments${query}`, key);
  return [list.map(({ transaction_id: id }) => id), headers.get('x-total-count')];
};

describe('GET /org/payments/totals', () => {
  it("sums an organisation's payments by currency, for either of its keys and nobody else", async () => {
    const { status, list } = await get('/org/payments/totals', rival.key);
    expect(status).toBe(200);
    expect(list).toContainEqual({
      network: null,
      asset: null,
      currency: 'USDC',
      payment_count: expect.any(Number) as number,
      amount: expect.any(Number) as number,
      amount_atomic: null,
      last_settled_at: expect.any(String) as string,
    });
    const counted = list.reduce((sum, total) => sum + Number(total['payment_count']), 0);
    expect(String(counted)).toBe((await page(rival.key))[1]);
    expect((await get('/org/payments/totals', rival.sandboxKey)).status).toBe(200);
    expect((await get('/org/payments/totals')).status).toBe(401);
  });
});

describe('GET /org/payments', () => {
  it('returns each payment in the form of the specification, with the exact amount besides', async () => {
    const { list } = await get('/org/payments?limit=1', rival.key);
    expect(list).toEqual([
      {
        transaction_id: 'tx-3000',
        receiver_agent_id: receiver,
        caller_agent_id: null,
        amount: 750,
        amount_atomic: null,
        currency: 'USDC',
        asset: null,
        settlement_rail: 'x402',
        network: null,
        payee_address: null,
        confirmation_ref: null,
        block_number: null,
        settled_at: '2026-01-01T00:00:00.000Z',
      },
    ]);
  });

  it('has 200 payments on a page by default, newest first, and links to the next page', async () => {
    const newestFirst = Array.from({ length: payments }, (_, index) => `tx-${1_000 + index}`);
    const first = await get('/org/payments', org.key);
    expect(first.list.map(({ transaction_id: id }) => id)).toEqual(newestFirst.slice(0, 200));
    expect(first.headers.get('x-total-count')).toBe(String(payments));
    const next = new URL(/<([^>]*)>; rel="next"/u.exec(first.headers.get('link') ?? '')?.[1] ?? '');
    expect(await page(org.key, next.search)).toEqual([newestFirst.slice(200), String(payments)]);
    expect(await page(org.key, '?limit=1000')).toEqual([newestFirst, String(payments)]);
    expect(await page(org.key, '?limit=3&offset=10')).toEqual([newestFirst.slice(10, 13), String(payments)]);
    expect(await page(org.key, '?offset=1000')).toEqual([[], String(payments)]);
    const head = await ask('HEAD', '/org/payments', { headers: org.key });
    expect(head.headers.get('x-total-count')).toBe(String(payments));
  });

  it('shows nothing of the other universe or of other organisations', async () => {
    expect(await page(org.sandboxKey)).toEqual([['tx-2000', 'tx-2001'], '2']);
    expect(await page(rival.key)).toEqual([['tx-3000'], '1']);
    expect(await page(rival.sandboxKey)).toEqual([[], '0']);
    expect(await page((await createOrg()).key)).toEqual([[], '0']);
  });

  it.each(['limit=0', 'limit=1001', 'limit=-1', 'limit=x', 'offset=-1', 'offset=1.5', 'limit='])(
    '?%s is 422',
    async (query) => {
      expect((await get(`/org/payments?${query}`, org.key)).status).toBe(422);
    },
  );
});
