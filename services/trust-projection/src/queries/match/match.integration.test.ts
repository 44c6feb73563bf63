import { agentStream, getShownAgents, matchAgents, type Universe } from '@agent-trust/contracts';
import { replayReadModel } from '@agent-trust/projections';
import { waitFor } from '@agent-trust/test-kit';
import { runs } from '@agent-trust/test-kit/runs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAgentsWithChange } from '../../projector/read-models/agent-change/queries.ts';
import { registryReadModel } from '../../projector/read-models/registry-read-model.ts';
import { openReadModelDatabase, type ReadModelDatabase, readModelSchema } from '../../shared/database.ts';
import { universeKey } from '../../projector/read-models/universe-key.ts';
import { directMatch } from '../../testing/direct-match.ts';
import { agentConfigurationOf, agentRegistered, makeHistory, production } from '../../testing/made-history.ts';
import { createServiceFixture, type ServiceFixture } from '../../testing/service-fixture.ts';
import { publicView } from '../agent-view.ts';
import type { ResolvedCapability } from '../resolve-capabilities.ts';
import { freshMatchIndex, type FreshMatchIndex } from './fresh-match-index.ts';
import type { MatchEntry } from './agent-columns.ts';
import type { MatchQuestion } from './match-index.ts';

let fixture: ServiceFixture;
let database: ReadModelDatabase;
beforeAll(async () => {
  fixture = await createServiceFixture();
  database = openReadModelDatabase(fixture.url);
});
afterAll(async () => {
  await database.close();
  await fixture.close();
});

const at = (second: number): string => new Date(Date.UTC(2027, 0, 1, 0, 0, second)).toISOString();
const untilRead = async (position: string): Promise<void> => {
  await waitFor(
    async () => {
      const [row] = await fixture.query<{ position: string | null }>(
        `SELECT position FROM ${readModelSchema}.projection_checkpoint`,
      );
      return BigInt(row?.position ?? -1) >= BigInt(position);
    },
    { timeoutMs: 30_000, description: 'the end of the log' },
  );
};
/** Every agent as in the tables, independent of the index. */
const allAgents = (): Promise<MatchEntry[]> =>
  fixture.query<MatchEntry>(
    `SELECT agent_id AS "agentId", a.universe, a.configuration->>'endpointUrl' IS NOT NULL
         AND NOT (a.is_suspended OR a.is_retired OR a.is_organisation_disabled) AS routable, a.verified,
       lower(a.org_name) AS "orgNameKey", a.configuration->>'messageProtocol' AS "messageProtocol",
       coalesce(ARRAY(SELECT jsonb_array_elements_text(nullif(a.configuration->'settlementRail', 'null'))), '{}') AS "settlementRail",
       a.configuration->'capabilities' AS capabilities, s.trust_score AS "trustScore",
       coalesce((s.liveness::json->>0)::integer = 1, false) AS "isLive",
       s.other_org_transaction_count AS "otherOrgTransactionCount", s.match_base AS "matchBase"
     FROM ${readModelSchema}.agent a JOIN ${readModelSchema}.agent_standing s USING (agent_id)`,
  );

const sandboxes = Array.from({ length: 4 }, (_, org): Universe => ({ kind: 'sandbox', orgId: `org${org}` }));
const similarity = fc.constantFrom(1, 0.87, 0.4);
const resolved: fc.Arbitrary<ResolvedCapability> = fc.record({
  required: fc.constantFrom('one', 'two', 'three'),
  canonical: fc
    .integer({ min: 0, max: 30 })
    .map((number) => (number === 0 ? 'nobody_has_it' : `capability_${number * 4}`)),
  similarity,
  how: fc.constant('close' as const),
});
const question: fc.Arbitrary<MatchQuestion> = fc.record({
  universe: fc.constantFrom(production, production, production, ...sandboxes).map(universeKey),
  capabilities: fc.option(fc.array(resolved, { minLength: 1, maxLength: 12 }), { freq: 4 }),
  filters: fc.record({
    settlementRail: fc.option(fc.subarray(['x402', 'stripe', 'manual', 'gold'], { minLength: 1 }), { freq: 1 }),
    orgName: fc.option(fc.constantFrom('Organisation org0', 'ORGANISATION ORG1', 'Nobody'), { freq: 1 }),
    messageProtocol: fc.option(fc.constantFrom('a2a', 'mcp', 'raw'), { freq: 1 }),
    live: fc.boolean(),
  }),
});
const chunk = fc.record({ limit: fc.integer({ min: 1, max: 60 }), offset: fc.integer({ min: 0, max: 30 }) });

const questionCount = 150;

/** Compares an index with the direct computation over the tables' rows; returns the number of correct queries, which must be all. */
const answeredRight = async (index: FreshMatchIndex, seed: number): Promise<number> => {
  const agents = await allAgents();
  const known = await index.fresh();
  let answered = 0;
  fc.assert(
    fc.property(question, chunk, (asked, { limit, offset }) => {
      const ranked = known.rank(asked, { limit, offset }).map(({ agentId, matchScore }) => ({ agentId, matchScore }));
      expect(ranked).toEqual(directMatch(agents, asked).slice(offset, offset + limit));
      answered += 1;
    }),
    { numRuns: questionCount, seed },
  );
  return answered;
};

/** The shown data of every agent, and its position. */
const shownAgents = async (): Promise<Map<string, { shown: string; changedPosition: bigint }>> => {
  const agentIds = (await allAgents()).map(({ agentId }) => agentId);
  const { agents } = await findAgentsWithChange(database, agentIds);
  return new Map(
    agents.map(({ changedPosition, ...agent }) => {
      const shown = JSON.stringify([agent.universe, publicView(agent)]);
      return [agent.agentId, { shown, changedPosition }];
    }),
  );
};

describe('the match index over the read models', () => {
  // Bug: the index misses a change of an agent, or sees changes in the wrong order; or shown data of an agent changes without its position, so that a
  // cached copy stays outdated.
  // Method: histories with all kinds of changes, a few events at a time, beside an index that follows and one that starts late.
  it("returns the same as scoring and sorting every row, and an agent's position shows whether it has changed", async () => {
    const [exchanges, changesMade] = [runs(200, 400), runs(250, 500)];
    const early = freshMatchIndex(database, { entriesPerReadMax: 7 });
    await early.fresh();
    let before = await shownAgents();
    let changes = 0;
    for (const seed of [1, 2]) {
      // The second history changes the agents of the first one, and adds more.
      const history = makeHistory({ agents: 60 * seed, exchanges, changes: changesMade, seed });
      const known = new Set(before.keys());
      const news = history.filter(({ event }) => {
        if (event.type === 'OrganisationCreated') return seed === 1;
        return event.type !== 'AgentRegistered' || !known.has(event.data.agentId);
      });
      for (let start = 0; start < news.length; start += 50) {
        await untilRead(await fixture.record(...news.slice(start, start + 50)));
        const after = await shownAgents();
        for (const [agentId, { shown, changedPosition }] of after) {
          const earlier = before.get(agentId);
          if (earlier === undefined || earlier.shown === shown) continue;
          changes += 1;
          expect([agentId, changedPosition]).not.toEqual([agentId, earlier.changedPosition]);
        }
        before = after;
      }
      expect(await answeredRight(early, seed)).toBe(questionCount);
      expect(await answeredRight(freshMatchIndex(database), seed + 10)).toBe(questionCount);
    }
    expect(changes).toBeGreaterThan(changesMade);
  });

  // Bug: a query joins a check for changes that started before it, and misses an earlier write.
  it('knows a write at once, with many queries under way, on every instance', async () => {
    await fixture.startInstance('second');
    const match = async (name: string): Promise<string[]> => {
      const { matches } = await fixture.gateway.request(
        matchAgents,
        {
          universe: production,
          requiredCapabilities: [name],
          client: 'one',
          settlementRail: null,
          orgName: null,
          messageProtocol: null,
          limit: 5,
          offset: 0,
        },
        { timeoutMs: 10_000 },
      );
      return matches.map(({ agentId }) => agentId);
    };
    for (let turn = 0; turn < runs(15, 40); turn += 1) {
      const [agentId, name] = [`at-once-${turn}`, `skill ${turn} zq`];
      const noise = Array.from({ length: 8 }, () => match('capability_4'));
      const configuration = { capabilities: [{ name, weight: 1 }] };
      await untilRead(await fixture.record(agentRegistered({ agentId, configuration }, at(turn))));
      expect(await Promise.all([match(name), match(name)])).toEqual([[agentId], [agentId]]);
      await Promise.all(noise);
    }
  });

  it('shows no agent in another universe', async () => {
    const sandbox: Universe = { kind: 'sandbox', orgId: 'org1' };
    const ask = async (universe: Universe): Promise<number> =>
      (await fixture.gateway.request(getShownAgents, { agentIds: ['at-once-1'], universe }, { timeoutMs: 10_000 }))
        .agents.length;
    expect([await ask(production), await ask(sandbox)]).toEqual([1, 0]);
  });

  // Bug: an agent that changes between its ranking and the reading of its text is shown with a score that it was not ranked by.
  it('shows an agent as it was ranked, although it has changed since', async () => {
    const agentId = 'ranked-before';
    await untilRead(await fixture.record(agentRegistered({ agentId }, at(240))));
    const shown = async (positions: string[] | null) =>
      (
        await fixture.gateway.request(
          getShownAgents,
          { agentIds: [agentId], universe: production, positions },
          { timeoutMs: 10_000 },
        )
      ).agents[0];
    const before = await shown(null);
    if (before === undefined) throw new Error('the agent is not shown');
    const data = {
      agentId,
      configuration: agentConfigurationOf({ specialty: 'something new' }),
      changedFields: ['specialty' as const],
      changedAt: at(250),
    };
    await untilRead(
      await fixture.record({ stream: agentStream(agentId), event: { type: 'ConfigurationChanged', data } }),
    );
    const now = await shown(null);
    expect(now?.agent.specialty).toBe('something new');
    expect(await shown([before.changedPosition])).toEqual(before);
    expect(await shown([now?.changedPosition ?? ''])).toEqual(now);
  });

  // Bug: an agent that changes its rails repeatedly makes every instance keep all the names that it ever had.
  it('drops unused names, and is rebuilt only after many have accumulated', async () => {
    const namesSpareMax = 40;
    const index = freshMatchIndex(database, { namesSpareMax });
    const atFirst = (await index.fresh()).nameCount;
    await untilRead(await fixture.record(agentRegistered({ agentId: 'railed' }, at(300))));
    const renamed = async (time: number): Promise<void> => {
      const settlementRail = Array.from({ length: 30 }, (_, rail) => `rail ${time} ${rail}`);
      const data = {
        agentId: 'railed',
        configuration: agentConfigurationOf({ settlementRail }),
        changedFields: ['settlementRail' as const],
        changedAt: at(300 + time),
      };
      await untilRead(
        await fixture.record({ stream: agentStream('railed'), event: { type: 'ConfigurationChanged', data } }),
      );
      await index.fresh();
    };
    const few = await index.fresh();
    await renamed(1);
    expect(await index.fresh()).toBe(few);
    for (let time = 2; (await index.fresh()).nameCount <= 2 * atFirst + namesSpareMax && time < 200; time += 1)
      await renamed(time);
    await waitFor(async () => (await index.fresh()) !== few, { description: 'an index without the unused names' });
    expect((await index.fresh()).nameCount).toBeLessThanOrEqual(atFirst + 60);
  });

  // Bug: after a replay that changed rows on purpose, the index continues with those of the former build.
  it('adopts the rows of another build, and misses nothing meanwhile', async () => {
    const index = freshMatchIndex(database, { entriesPerReadMax: 11 });
    await fixture.query(
      `UPDATE ${readModelSchema}.agent_standing SET match_base = 0.4, trust_score = 100 WHERE agent_id = 'at-once-1'`,
    );
    expect(await answeredRight(index, 20)).toBe(questionCount);
    const connection = { connectionString: fixture.url };
    const readModel = await registryReadModel();
    const replayed = await replayReadModel({
      connection,
      schema: readModelSchema,
      log: fixture.log,
      readModel,
      acceptDifferences: true,
    });
    expect(replayed.comparison?.rowsDiffering).toBe(1);
    const configuration = { capabilities: [{ name: 'after_replay', weight: 1 }] };
    await untilRead(await fixture.record(agentRegistered({ agentId: 'after-replay', configuration }, at(200))));
    const afterReplay: MatchQuestion = {
      universe: universeKey(production),
      capabilities: [{ required: 'after_replay', canonical: 'after_replay', similarity: 1, how: 'exact' }],
      filters: { settlementRail: null, orgName: null, messageProtocol: null, live: false },
    };
    expect((await index.fresh()).rank(afterReplay, { limit: 1, offset: 0 })).toMatchObject([
      { agentId: 'after-replay' },
    ]);
    const { build } = await freshMatchIndex(database).fresh();
    await waitFor(async () => (await index.fresh()).build === build, { description: 'the index of the new build' });
    expect(await answeredRight(index, 21)).toBe(questionCount);
  });
});
