/*
 * Bugs: an answer to a review is shown before it was given, from another universe than the review, or after an erasure; a row of a read model
 * contains it in clear; ratings without an answer are shown differently than before there were answers.
 * Method: reviews in both universes, queried now and as of each step; then the key is destroyed, and brought back as a backup could.
 */
import {
  agentStream,
  getAgentProfile,
  getOrgAgentProfile,
  getPastAgentProfile,
  production,
  type RatingRecord,
  type Universe,
} from '@agent-trust/contracts';
import { sealText } from '@agent-trust/personal-data';
import { replayReadModel } from '@agent-trust/projections';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { registryReadModel } from './projector/read-models/registry-read-model.ts';
import { readModelSchema } from './shared/database.ts';
import {
  agentRegistered,
  exchangeCompleted,
  exchangeReviewed,
  exchangeStarted,
  type Parties,
  reviewAnswered,
} from './testing/made-events.ts';
import { createServiceFixture, type ServiceFixture } from './testing/service-fixture.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const sandbox: Universe = { kind: 'sandbox', orgId: 'acme' };
const timeout = { timeoutMs: 10_000 };

let fixture: ServiceFixture;
let answeredAtPosition: string;
beforeAll(async () => {
  fixture = await createServiceFixture();
  await fixture.record(agentRegistered({ agentId: 'buyer', verified: true }, at(0)));
  await fixture.record(agentRegistered({ agentId: 'seller', orgId: 'acme' }, at(0)));
  await fixture.record(agentRegistered({ agentId: 'draft', orgId: 'acme', universe: sandbox }, at(0)));
  await fixture.record(agentRegistered({ agentId: 'tester', orgId: 'acme', universe: sandbox }, at(0)));
});
afterAll(() => fixture.close());

const ofSeller = (transactionId: string): Parties => ({
  transactionId,
  callerAgentId: 'buyer',
  receiverAgentId: 'seller',
});
const reviewed = async (parties: Parties): Promise<string> => {
  await fixture.record(exchangeStarted(parties, at(1)));
  await fixture.record(exchangeCompleted(parties, at(2)));
  return fixture.record(exchangeReviewed(parties, at(3)));
};
const answer = async (parties: Parties, text: string): Promise<string> => {
  const key = await fixture.contactKeys.current(parties.receiverAgentId);
  const sealed = sealText(key, { answerTo: parties.transactionId }, text);
  const position = await fixture.record(reviewAnswered(parties, at(4), sealed));
  await fixture.untilVisible(position);
  return position;
};
const answersOf = (ratings: readonly RatingRecord[]): [string, RatingRecord['answer']][] =>
  ratings.map(({ transactionId, answer: given }) => [transactionId, given]);
const shown = async (agentId: string, universe: Universe = production) => {
  const { ratings } = await fixture.gateway.request(getAgentProfile, { agentId, universe }, timeout);
  return answersOf(ratings);
};
const shownAsOf = async (agentId: string, position: string) => {
  const asked = { agentId, universe: production, asOf: { position } };
  return answersOf((await fixture.gateway.request(getPastAgentProfile, asked, timeout)).ratings);
};

const said = 'We have refunded it.';
const given = { text: said, answeredAt: at(4) };

it('an answer is shown beside the rating from when it was given, and a rating without one has no such member', async () => {
  await reviewed(ofSeller('t1'));
  const before = await reviewed(ofSeller('t2'));
  await fixture.untilVisible(before);
  const { ratings } = await fixture.gateway.request(
    getAgentProfile,
    { agentId: 'seller', universe: production },
    timeout,
  );
  expect(ratings.map((rating) => Object.keys(rating))).toEqual(
    Array(2).fill(['transactionId', 'callerAgentId', 'callerOrgDomain', 'success', 'score', 'reviewedAt']),
  );
  answeredAtPosition = await answer(ofSeller('t1'), said);
  const now = [
    ['t2', undefined],
    ['t1', given],
  ];
  expect(await shown('seller')).toEqual(now);
  const own = { orgId: 'acme', agentId: 'seller', universe: production };
  expect(answersOf((await fixture.gateway.request(getOrgAgentProfile, own, timeout)).ratings)).toEqual(now);
  expect(await shownAsOf('seller', answeredAtPosition)).toEqual(now);
  expect(await shownAsOf('seller', before)).toEqual([
    ['t2', undefined],
    ['t1', undefined],
  ]);
});

it('an answer in a sandbox is shown there', async () => {
  const parties = { transactionId: 's1', callerAgentId: 'tester', receiverAgentId: 'draft', universe: sandbox };
  await reviewed(parties);
  await answer(parties, said);
  expect(await shown('draft', sandbox)).toEqual([['s1', given]]);
  expect(await shown('draft')).toEqual([]);
});

it('is in clear in no row, and a replay makes the same rows', async () => {
  const tables = await fixture.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  for (const { name } of tables)
    expect(JSON.stringify(await fixture.query(`SELECT t::text AS row FROM ${name} t`))).not.toContain(said);
  const readModel = await registryReadModel();
  const connection = { connectionString: fixture.url };
  const report = await replayReadModel({ connection, schema: readModelSchema, log: fixture.log, readModel });
  expect(report).toMatchObject({ switched: true, comparison: { rowsDiffering: 0 } });
  expect(await shown('seller')).toContainEqual(['t1', given]);
});

it('is gone once the key is destroyed, now and for every moment, and a copy of the key brings nothing back', async () => {
  const gone = { text: null, answeredAt: at(4) };
  const rows = await fixture.query<{ row: string }>(
    `SELECT row_to_json(k)::text AS row FROM personal_data.agent_key k WHERE agent_id = 'seller'`,
  );
  const keyIds = await fixture.contactKeys.destroy('seller');
  expect(await shown('seller')).toContainEqual(['t1', gone]);
  expect(await shownAsOf('seller', answeredAtPosition)).toContainEqual(['t1', gone]);
  const data = { agentId: 'seller', keyIds, erasedAt: at(5) };
  const erased = { stream: agentStream('seller'), event: { type: 'PersonalDataErased' as const, data } };
  await fixture.untilVisible(await fixture.record(erased));
  await fixture.query(
    `INSERT INTO personal_data.agent_key SELECT * FROM json_populate_record(NULL::personal_data.agent_key, '${rows[0]?.row}')`,
  );
  expect(await shown('seller')).toContainEqual(['t1', gone]);
  expect(await shownAsOf('seller', answeredAtPosition)).toContainEqual(['t1', gone]);
  // Its answers to come are sealed with another key.
  expect(await fixture.contactKeys.destroy('seller')).toEqual(keyIds);
  await answer(ofSeller('t2'), 'It is mended.');
  expect(await shown('seller')).toEqual([
    ['t2', { text: 'It is mended.', answeredAt: at(4) }],
    ['t1', gone],
  ]);
});
