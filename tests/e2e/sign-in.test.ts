/**
 * Bugs: a sign-in code works twice at two gateways; the key that it gives is no operator's, or does not say whose it is; the demo is played where no
 * `npm start` runs. Method: the shared system's two gateways.
 */
import { expect, it } from 'vitest';
import { adminToken, ask, freshClient, gateways, get, post } from '../support/ask.ts';
import { createOperatorKey } from '../support/operators.ts';
import { bearer } from '../support/registry.ts';
import { served } from '../support/served.ts';

it('a code signs in once, over both gateways, as somebody whom the audit trail names', async () => {
  const asker = await createOperatorKey('operator');
  const made = await post('/ops/sign-in-codes', { role: 'viewer' }, asker.auth);
  const { code, link } = made.body;
  expect([made.status, link]).toEqual([201, expect.stringContaining(`/console/#code=${String(code)}`)]);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      served(() =>
        ask('POST', '/ops/sign-in', { headers: freshClient(), body: { code }, gateway: gateways[index % 2] ?? '' }),
      ),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    201,
    ...Array<number>(19).fill(400),
  ]);
  const { key, name } = answers.find(({ status }) => status === 201)?.body ?? {};
  const auth = bearer(String(key));
  for (const gateway of gateways) {
    expect((await ask('GET', '/ops/keys', { headers: auth, gateway, owner: true })).status).toBe(200);
  }
  expect((await post('/ops/keys', { name: 'more', role: 'viewer' }, auth)).body['code']).toBe('operator_role_too_low');
  const { list } = await get(`/ops/events?operator=${asker.name}&type=OperatorKeyCreated`, adminToken);
  expect(list).toHaveLength(1);
  expect(list[0]).toMatchObject({
    data: { name, role: 'viewer' },
    metadata: { actor: { kind: 'operator', id: asker.name, credentials: ['operator_key', 'sign_in_code'] } },
    operator: { id: asker.name, break_glass: false },
  });
});

it('the demo is absent where no npm start runs', async () => {
  const answers = [await post('/ops/demo', {}, adminToken), await get('/ops/demo', adminToken)];
  expect(answers.map(({ status, body }) => [status, body['code']])).toEqual([
    [404, 'demo_absent'],
    [404, 'demo_absent'],
  ]);
});
