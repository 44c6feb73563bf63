import { runs } from '@agent-trust/test-kit/runs';
import { archiveStream } from '@agent-trust/contracts';
import { replayReadModel } from '@agent-trust/projections';
import { frontierRoot, toHex } from '@agent-trust/transparency-log';
import { policyV1 } from '@agent-trust/trust-policy';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { merkleTreeIn } from '../../audit/merkle-tree/queries.ts';
import { findAgents } from '../../projector/read-models/agent-directory/queries.ts';
import { newestRatings, type RatingRow, sealedRating } from '../../projector/read-models/ratings/queries.ts';
import { registryReadModel } from '../../projector/read-models/registry-read-model.ts';
import { publicView } from '../../queries/agent-view.ts';
import { explainTrust } from '../../queries/explain-trust.ts';
import { type ReadModelDatabase, readModelSchema } from '../../shared/database.ts';
import { appendHistory, makeHistory } from '../../testing/made-history.ts';
import { archiveExchanges } from './archive-exchanges.ts';
import { followedLog } from './testing/followed-log.ts';

/*
 * Bug: an agent's score, explanation, ratings or counters change because its exchanges were archived, at once or when the read models are next
 * built from what is left in the log; or the tree loses a leaf.
 * Method: random histories with every type of event, archived at a random age and again at a later one. What the routes say of every agent, and the
 * root of the tree, are compared before, after and after a replay, which itself compares every row.
 */
const agents = 30;
const exchanges = runs(250, 4_000);

const saidOf = async (database: ReadModelDatabase, agentIds: readonly string[]): Promise<string[]> => {
  // Behind every event, so that the answers name the same moment.
  const moment = { position: 2n ** 62n, time: new Date(0) };
  const said: string[] = [];
  for (const agentId of agentIds) {
    const [agent] = await findAgents(database, [agentId]);
    if (agent === undefined) throw new Error(`${agentId} is gone`);
    const newest = newestRatings({ agentId, universe: agent.universe, countMax: 100 });
    const ratings = (await database.query<RatingRow<Date>>(newest)).map(sealedRating);
    const trust = await explainTrust(database, () => policyV1, { agentId, moment, limit: 200, offset: 0 });
    said.push(JSON.stringify([publicView(agent), ratings, trust]));
  }
  return said;
};

it('changes nothing that the registry says of an agent, nor the tree, now and after a replay', {
  timeout: 300_000,
}, async () => {
  let archived = 0;
  let ofOthers = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 1e6 }),
      fc.double({ min: 0.6, max: 0.9, noNaN: true }),
      async (seed, share) => {
        const it = await followedLog();
        try {
          const history = makeHistory({ agents, exchanges, changes: Math.round(exchanges / 5), seed });
          for (let from = 0; from < history.length; from += 300)
            await appendHistory(it.log, history.slice(from, from + 300));
          await it.follow();
          const before = await it.events();
          const agentIds = before.flatMap(({ type, data }) =>
            type === 'AgentRegistered' ? [data['agentId'] as string] : [],
          );
          const saidBefore = await saidOf(it.readModels, agentIds);
          const { frontier: treeBefore } = await merkleTreeIn(it.record).head();

          // Twice: what was open at the first cut is not archived by the second run, and everything else up to the second cut is.
          for (const cut of [share / 2, share]) {
            const endedBefore = before[Math.floor(before.length * cut)]?.recordedAt ?? new Date();
            const report = await archiveExchanges(it.parts, { endedBefore, segmentExchangesMax: 7 });
            archived += report.exchanges;
            expect(report.kept).toBe(0);
            await it.follow();
          }
          const after = await it.events();
          const end = before.at(-1)?.position ?? 0n;
          const records = after.filter(({ stream, position }) => stream === archiveStream && position > end);
          const removed = records.reduce((sum, { data }) => sum + Number(data['eventCount']), 0);
          expect(after.length).toBe(before.length + records.length - removed);
          expect(removed).toBeGreaterThan(0);
          expect(await saidOf(it.readModels, agentIds)).toEqual(saidBefore);

          const tree = await merkleTreeIn(it.record).head();
          expect(tree.frontier.size).toBe(treeBefore.size + records.length);
          const report = await replayReadModel({
            connection: { connectionString: it.url },
            schema: readModelSchema,
            log: it.log,
            readModel: await registryReadModel({ isArchived: true }),
            dropLockTimeoutMs: 50,
          });
          expect(report.comparison).toMatchObject({ rowsDiffering: 0, differences: [] });
          expect(await saidOf(it.readModels, agentIds)).toEqual(saidBefore);

          await it.rebuildRecord();
          const rebuilt = await merkleTreeIn(it.record).head();
          expect([rebuilt.frontier.size, toHex(frontierRoot(rebuilt.frontier)), rebuilt.position]).toEqual([
            tree.frontier.size,
            toHex(frontierRoot(tree.frontier)),
            tree.position,
          ]);
          const [counts] = await it.readModels.query<{ ofOthers: number }>({
            text: 'SELECT sum(other_org_transaction_count)::integer AS of_others FROM agent_standing',
            values: [],
          });
          ofOthers += counts?.ofOthers ?? 0;
        } finally {
          await it.close();
        }
      },
    ),
    { numRuns: runs(2, 40) },
  );
  expect(archived).toBeGreaterThan(20);
  expect(ofOthers).toBeGreaterThan(20);
});
