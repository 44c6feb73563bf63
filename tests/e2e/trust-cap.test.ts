import { beforeAll, expect, it } from 'vitest';
import { call, createOrg, join, type Member, review, verify } from '../support/ask.ts';
import { type RecordingAgent, startRecordingAgent } from '../support/recording-agent.ts';
import { textMessage, unique } from '../support/registry.ts';

let endpoint: RecordingAgent;
beforeAll(async () => {
  endpoint = await startRecordingAgent();
  return () => endpoint.stop();
});

const rate = async (rater: Member, target: Member, score: number): Promise<number> => {
  expect((await call(rater, target.agentId, textMessage('x'))).status).toBe(200);
  const { status, body } = await review(rater, target.agentId, { score, success: score > 5 });
  expect(status).toBe(200);
  return Number(body['trust_score']);
};
const rater = async (): Promise<Member> => join((await createOrg()).key, { org_domain: `${unique('rater')}.example` });
const independent = (): Promise<Member> => join({}, { endpoint_url: endpoint.url });

it('the praise of one org domain lifts an agent without an organisation to 52 at most, however many reviews it gives', async () => {
  const [praiser, target] = [await rater(), await independent()];
  const scores: number[] = [];
  for (let round = 0; round < 15; round += 1) scores.push(await rate(praiser, target, 10));
  // K = 5 at 40, and a fifth of all weight at 100: 0.8 · 40 + 0.2 · 100.
  expect(scores.at(-1)).toBe(52);
  expect(Math.max(...scores)).toBe(52);
});

it('several domains together lift it further, and it is trusted from 70 on', async () => {
  const target = await independent();
  let score = 40;
  for (let round = 0; round < 12; round += 1) score = await rate(await rater(), target, 10);
  expect(score).toBeGreaterThanOrEqual(70);
  expect((await verify(target.agentId)).body['recommended_action']).toBe('proceed');
});

it('one org domain with bad reviews takes a fifth at most', async () => {
  const [blamer, target] = [await rater(), await join((await createOrg()).key, { endpoint_url: endpoint.url })];
  let score = 75;
  for (let round = 0; round < 15; round += 1) score = await rate(blamer, target, 1);
  expect(score).toBe(60);
});
