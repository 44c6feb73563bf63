/**
 * Bug: the chart of a quarter of an hour shows one gateway's part, or nothing, and nobody misses the rest.
 * Method: requests to each gateway of the whole system have to arrive in the sum.
 */
import { waitFor } from '@agent-trust/test-kit';
import { describe, expect, it } from 'vitest';
import { ask, gateways, get, stack } from '../support/ask.ts';

type Steps = (number | null)[];
type Rates = { requests: Steps; calls: Steps; verifies: Steps; refusals: { code: string; counts: Steps }[] };
type Answer = {
  step_seconds: number;
  sum: Rates;
  gateways: { instance_id: string; rates: Rates }[];
  projection: { points: ({ position: string | null; head_position: string | null; lag: number } | null)[] } | null;
};

const asOperator = { Authorization: `Bearer ${stack.adminToken}` };
const rates = async (): Promise<Answer> => {
  const { status, body, text } = await get('/ops/rates', asOperator);
  if (status !== 200) throw new Error(`returned ${status}: ${text}`);
  return body as Answer;
};
const total = (steps: Steps = []): number => steps.reduce<number>((sum, count) => sum + (count ?? 0), 0);
const refused = ({ refusals }: Rates, code: string): number =>
  total(refusals.find((refusal) => refusal.code === code)?.counts);

describe('GET /ops/rates', () => {
  it('has what every gateway answered and refused, by instance and summed', async () => {
    const perGateway = 5;
    for (const gateway of gateways) {
      for (let sent = 0; sent < perGateway; sent += 1) {
        const body = { agent_id: 'nobody-of-the-rates' };
        expect((await ask('POST', '/verify', { body, gateway })).status).toBe(404);
      }
    }
    const sent = perGateway * gateways.length;
    await waitFor(
      async () => {
        const { sum, gateways: each } = await rates();
        const haveAll = each.filter((one) => refused(one.rates, 'agent_not_found') >= perGateway);
        if (haveAll.length < gateways.length || refused(sum, 'agent_not_found') < sent) return false;
        for (const of of ['requests', 'calls', 'verifies'] as const) {
          expect(total(sum[of])).toBe(each.reduce((all, one) => all + total(one.rates[of]), 0));
        }
        expect(total(sum.verifies)).toBeGreaterThanOrEqual(sent);
        return true;
      },
      { description: 'the rates of every gateway' },
    );
  });

  it('has the log and the read models over the same steps', async () => {
    await waitFor(
      async () => {
        const { projection, sum, step_seconds: seconds } = await rates();
        expect(seconds).toBe(15);
        const last = projection?.points.at(-1);
        if (last == null) return false;
        expect(projection?.points).toHaveLength(sum.requests.length);
        expect(last.lag).toBe(Math.max(0, Number(last.head_position) - Number(last.position)));
        return true;
      },
      { description: 'a point of the projection' },
    );
  });

  it('is for operators alone', async () => {
    expect((await get('/ops/rates')).status).toBe(401);
    expect((await get('/ops/rates', { Authorization: 'Bearer nobody' })).status).toBe(401);
    expect((await ask('HEAD', '/ops/rates', { headers: asOperator })).status).toBe(200);
  });
});
