import { expect, it } from 'vitest';
import { moveEffects } from './move-effects.ts';

const agent = (endpoint: string | null) =>
  ({ agent_id: 'a', trust_score: 75, transaction_count: 3, routing: { endpoint_url: endpoint } }) as Parameters<
    typeof moveEffects
  >[1];
const of = (kind: 'publish' | 'withdraw', what: string, endpoint: string | null = 'https://a.test') =>
  moveEffects(kind, agent(endpoint)).find((effect) => effect.what === what);

it('a move keeps the id, the endpoint, the key and what was earned, and changes who sees the agent', () => {
  for (const kind of ['publish', 'withdraw'] as const) {
    expect(of(kind, 'Id')).toEqual({ what: 'Id', before: 'a', after: 'the same' });
    expect(of(kind, 'Endpoint')).toMatchObject({ before: 'https://a.test', after: 'the same' });
    expect(of(kind, 'Trust score')).toMatchObject({ before: '75', after: 'the same' });
    expect(of(kind, 'Calls that count')).toMatchObject({ before: '3', after: 'the same' });
  }
  const [published, withdrawn] = [of('publish', 'Who sees it'), of('withdraw', 'Who sees it')];
  expect(published).toMatchObject({ after: 'everybody' });
  expect(withdrawn).toMatchObject({ before: published?.after, after: published?.before });
  expect(of('publish', 'Who sees it', null)?.after).toMatch(/^everybody verifies it; without an endpoint/u);
});
