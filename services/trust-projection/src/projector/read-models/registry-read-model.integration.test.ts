import {
  type AgentEvent,
  eventDefinitions,
  type OrganisationEvent,
  organisationStream,
  orgDomainStream,
  type OrgDomainEvent,
} from '@agent-trust/contracts';
import {
  agentDecider,
  type AgentState,
  organisationDecider,
  type OrganisationState,
  orgDomainDecider,
  type OrgDomainState,
} from '@agent-trust/domain';
import { type EventLog, migratePostgresEventLog, openEventLog } from '@agent-trust/event-log';
import { createSchema, openWriterSession, replayReadModel, startRunner } from '@agent-trust/projections';
import { createTestDatabase, type TestDatabase, waitFor } from '@agent-trust/test-kit';
import { runs } from '@agent-trust/test-kit/runs';
import { policyV1, TrustLedger } from '@agent-trust/trust-policy';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendHistory, makeHistory, type MadeEvent } from '../../testing/made-history.ts';
import { appendActivation } from '../../testing/append-activation.ts';
import { readActivatedPolicies } from '../activated-policies.ts';
import { registryReadModel } from './registry-read-model.ts';
import { readModelSchema } from '../../shared/database.ts';
import { universeKey } from './universe-key.ts';
import { receivedReviews } from '../../testing/received-reviews.ts';

let database: TestDatabase;
let log: EventLog;
let client: pg.Client;
let history: MadeEvent[];

/** Events that would end the history for all later ones, or that concern neither agents nor scores; other tests cover each of them. */
const triedElsewhere = [
  'PersonalDataErased',
  'TrustPolicyActivated',
  'WebhookDeleted',
  'WebhookRegistered',
  'WebhookReplayRequested',
];

const rows = async <Row extends object>(text: string): Promise<Row[]> => (await client.query<Row>(text)).rows;

beforeAll(async () => {
  database = await createTestDatabase();
  await migratePostgresEventLog(database.url);
  log = await openEventLog(database.url);
  const connection = { connectionString: database.url };
  const readModel = await registryReadModel();
  const session = await openWriterSession(connection, readModelSchema);
  await createSchema(session, readModelSchema, readModel.schema);
  await session.end();
  client = new pg.Client({ ...connection, options: `-c search_path=${readModelSchema}` });
  await client.connect();
  history = makeHistory({ agents: runs(70, 150), exchanges: runs(1_000, 2_500), changes: runs(700, 1_500), seed: 7 });
  const last = await appendHistory(log, history);
  const runner = startRunner({ connection, schema: readModelSchema, log, readModel, batchEventsMax: 97 });
  await waitFor(() => runner.status().position === last, { timeoutMs: 30_000, description: 'the end of the log' });
  await runner.stop();
});
afterAll(async () => {
  await client.end();
  await log.close();
  await database.drop();
});

describe('the read models', () => {
  // The order of the log is the commit order of the appends, which may differ from the made-up history's, so the log is read back.
  it('have the scores that the policy computes from the same events', async () => {
    const events = await log.readAll({ after: null, countMax: 100_000 });
    const ledger = new TrustLedger(policyV1);
    for (const { event } of history) {
      if (event.type === 'AgentRegistered') ledger.setPrior(event.data.agentId, event.data.trustPrior);
    }
    for (const [agentId, received] of receivedReviews(events)) ledger.recount(agentId, received);
    const scores = await rows<{ agentId: string; unrounded: number; score: number }>(
      `SELECT agent_id AS "agentId", unrounded, trust_score AS score FROM trust_evidence`,
    );
    expect(scores).toHaveLength(history.filter(({ event }) => event.type === 'AgentRegistered').length);
    for (const { agentId, unrounded, score } of scores) {
      expect([agentId, score]).toEqual([agentId, ledger.score(agentId).score]);
      expect(unrounded).toBeCloseTo(ledger.score(agentId).unrounded, 9);
    }
    expect(new Set(scores.map(({ score }) => score)).size).toBeGreaterThan(10);
  });

  it('count what production agents received, and nothing of sandboxes', async () => {
    const transactions = new Map<string, number>();
    for (const { event } of history) {
      if (event.type !== 'ExchangeCompleted' || event.data.universe.kind !== 'production') continue;
      transactions.set(event.data.receiverAgentId, (transactions.get(event.data.receiverAgentId) ?? 0) + 1);
    }
    const received = receivedReviews(await log.readAll({ after: null, countMax: 100_000 }));
    const standings = await rows<{ agentId: string; transactions: number; reviews: number }>(
      `SELECT agent_id AS "agentId", transaction_count AS transactions, review_count AS reviews FROM agent_standing`,
    );
    for (const { agentId, ...standing } of standings) {
      const reviews = (received.get(agentId) ?? []).filter(({ isVoid }) => !isVoid).length;
      const expected = { transactions: transactions.get(agentId) ?? 0, reviews };
      expect([agentId, standing]).toEqual([agentId, expected]);
    }
    const [all] = await rows<{ ratings: number }>('SELECT count(*)::int AS ratings FROM rating');
    expect(all?.ratings).toBe(history.filter(({ event }) => event.type === 'ExchangeReviewed').length);
  });

  it('are tested with every type of event', () => {
    const made = new Set<string>(history.map(({ event }) => event.type));
    const notMade = eventDefinitions.map(({ type }) => type).filter((type) => !made.has(type));
    expect(notMade.toSorted()).toEqual(triedElsewhere);
  });

  // Bug: a change reaches one read model and not another, or an old row remains. Method: fold each agent's stream by the domain's own rules, and
  // derive the expected rows from that.
  it('contain for every agent what its own stream leads to', async () => {
    const states = new Map<string, AgentState>();
    const domains = new Map<string, OrgDomainState>();
    for (const { type, data, stream } of await log.readAll({ after: null, countMax: 100_000 })) {
      if (stream.startsWith('org_domain-')) {
        const event = { type, data } as unknown as OrgDomainEvent;
        domains.set(stream, orgDomainDecider.evolve(domains.get(stream) ?? orgDomainDecider.initialState, event));
      }
      if (!stream.startsWith('agent-')) continue;
      const before = states.get(stream) ?? agentDecider.initialState;
      states.set(stream, agentDecider.evolve(before, { type, data } as unknown as AgentEvent));
    }
    const organisations = new Map<string, OrganisationState>();
    for (const { type, data, stream } of await log.readAll({ after: null, countMax: 100_000 })) {
      if (!stream.startsWith('organisation-')) continue;
      const before = organisations.get(stream) ?? organisationDecider.initialState;
      organisations.set(stream, organisationDecider.evolve(before, { type, data } as unknown as OrganisationEvent));
    }
    const isDisabled = (orgId: string | null): boolean => {
      const organisation = orgId === null ? undefined : organisations.get(organisationStream(orgId));
      return organisation?.kind === 'created' && organisation.disabled !== null;
    };
    const registered = [...states.values()].filter((state) => state.kind === 'registered');
    const directory = await rows<{ agentId: string }>(
      `SELECT a.agent_id AS "agentId", a.universe, a.org_id AS "orgId", a.org_name AS "orgName", a.org_domain AS "orgDomain",
         a.domain_proof AS "domainProof", a.verified,
         a.public_key AS "publicKey", a.contact_info AS "contactInfo", a.configuration,
         a.is_suspended AS "isSuspended", a.is_retired AS "isRetired",
         a.is_organisation_disabled AS "isOrganisationDisabled", a.routable, s.universe AS "standingUniverse", s.routable AS "standingRoutable", a.paired_agent_id AS "pairedAgentId",
         a.related_agent_id AS "relatedAgentId"
       FROM agent a JOIN agent_standing s USING (agent_id)`,
    );
    const pairedAgentId = new Map(registered.map((agent) => [agent.agentId, agent.relatedAgentId]));
    const expected = registered.map((agent) => {
      const [universe, isSuspended, isRetired] = [
        universeKey(agent.universe),
        agent.suspension !== null,
        agent.retiredAt !== null,
      ];
      const isOrganisationDisabled = isDisabled(agent.orgId);
      const isBlocked = isSuspended || isRetired || isOrganisationDisabled;
      const routable = agent.configuration.endpointUrl !== null && !isBlocked;
      const { relatedAgentId: related } = agent;
      const proof = agent.orgDomain === null ? null : domains.get(orgDomainStream(agent.orgDomain))?.proof;
      const isProved = proof != null && proof.orgId === agent.orgId;
      return {
        agentId: agent.agentId,
        universe,
        orgId: agent.orgId,
        orgName: agent.orgName,
        orgDomain: agent.orgDomain,
        domainProof: !isProved ? null : proof.lapsedAt === null ? 'proved' : 'lapsed',
        verified: agent.verified,
        publicKey: agent.publicKey,
        contactInfo: agent.contact.contactInfo,
        configuration: agent.configuration,
        isSuspended,
        isRetired,
        isOrganisationDisabled,
        routable,
        standingUniverse: universe,
        standingRoutable: routable,
        pairedAgentId: related,
        relatedAgentId: related !== null && pairedAgentId.get(related) === agent.agentId ? related : null,
      };
    });
    const byId = (a: { agentId: string }, b: { agentId: string }): number => (a.agentId < b.agentId ? -1 : 1);
    expect(directory.sort(byId)).toEqual(expected.sort(byId));
    // The history contains all of it: pairs confirmed and void, moves, adoptions, lost endpoints.
    expect(expected.filter(({ relatedAgentId }) => relatedAgentId !== null).length).toBeGreaterThan(20);
    const proofs = await rows(`SELECT DISTINCT agent->>'domainProof' AS proof FROM agent_past ORDER BY 1`);
    expect(proofs).toEqual([{ proof: 'lapsed' }, { proof: 'proved' }, { proof: null }]);
    expect(expected.filter((agent) => agent.isSuspended).length).toBeGreaterThan(3);
    expect(expected.filter((agent) => agent.isRetired).length).toBeGreaterThan(3);
    expect(expected.filter((agent) => agent.pairedAgentId !== null && agent.relatedAgentId === null)).toEqual([]);
  });

  it('contain the position at which each agent last changed, for all that is shown of it', async () => {
    const shown = (table: string, position: string) =>
      rows<{ agentId: string }>(`SELECT agent_id AS "agentId" FROM ${table} t WHERE NOT EXISTS
        (SELECT FROM agent_change c WHERE c.agent_id = t.agent_id AND ${position})`);
    expect(await shown('agent', 'true')).toEqual([]);
    expect(await shown('trust_history', 'c.position >= t.position')).toEqual([]);
    const changes = await rows<{ n: number }>('SELECT count(DISTINCT position)::int AS n FROM agent_change');
    expect(changes[0]?.n).toBeGreaterThan(runs(50, 100));
  });

  it('count the routable agents at each score', async () => {
    const counted = await rows<{ universe: string; score: number; agents: number }>(
      `SELECT universe, (o - 1)::int AS score, n::int AS agents
       FROM registry_size, jsonb_array_elements_text(agents_by_score) WITH ORDINALITY x(n, o) WHERE n <> '0' ORDER BY 1, 2`,
    );
    const standing = await rows(
      `SELECT universe, trust_score AS score, count(*)::int AS agents FROM agent_standing WHERE routable GROUP BY 1, 2 ORDER BY 1, 2`,
    );
    expect(counted).toEqual(standing);
  });

  it('have a history that leads from the prior to the current score without a gap', async () => {
    const broken = await rows(
      `SELECT agent_id FROM (
         SELECT agent_id, previous_score, lag(trust_score) OVER (PARTITION BY agent_id ORDER BY position) AS before FROM trust_history) h
       WHERE previous_score IS DISTINCT FROM before`,
    );
    const ends = await rows(
      `SELECT agent_id FROM agent_standing s WHERE trust_score <>
         (SELECT trust_score FROM trust_history h WHERE h.agent_id = s.agent_id ORDER BY position DESC LIMIT 1)`,
    );
    expect([broken, ends]).toEqual([[], []]);
  });

  it('are all compared by a replay, except scores if the policies differ', async () => {
    expect((await registryReadModel()).notCompared).toEqual([]);
    expect((await registryReadModel({ otherPolicies: true })).notCompared?.toSorted()).toEqual([
      'agent_change',
      'agent_standing',
      'former_trust_evidence',
      'former_trust_pair',
      'organisation_evidence',
      'organisation_evidence_step',
      'organisation_pair',
      'organisation_record_change',
      'organisation_voucher',
      'registry_size',
      'reserved_domain',
      'trust_entry',
      'trust_evidence',
      'trust_evidence_step',
      'trust_pair',
      'trust_policy_plan',
    ]);
  });

  // Bug: a row depends on the boundaries of batches, on a cache, or on anything but the events.
  // Method: replay in odd batches, with a cache that is far too small and so asks the database for nearly every row; every row must equal the live
  // runner's.
  it('are the same after a replay, with any batches and cache', { timeout: 120_000 }, async () => {
    for (const limits of [
      { batchEventsMax: 13, insertsMin: 30, rowsPerTableMax: 8 },
      { batchEventsMax: 500, insertsMin: 1_200, rowsPerTableMax: 100 },
      { batchEventsMax: 2_000, insertsMin: 4_000, rowsPerTableMax: 100_000 },
    ]) {
      const report = await replayReadModel({
        connection: { connectionString: database.url },
        schema: readModelSchema,
        log,
        readModel: await registryReadModel(),
        ...limits,
      });
      expect(report).toMatchObject({ switched: true, comparison: { rowsDiffering: 0, differences: [] } });
      expect(report.comparison?.rows).toBeGreaterThan(runs(2_000, 5_000));
    }
  });

  // Bug: evidence under a former policy that has left memory is not read again, so that no other policy can be put in force any more.
  it('are the same with any cache when another trust policy is in force', { timeout: 120_000 }, async () => {
    const constants = { ...policyV1.constants, strength: 10, halfLifeDays: 45 };
    await appendActivation(log, { ...policyV1, name: 'strict', constants }, 0);
    for (const [index, limits] of [
      { batchEventsMax: 2_000, insertsMin: 4_000, rowsPerTableMax: 100_000 },
      { batchEventsMax: 500, insertsMin: 1_200, rowsPerTableMax: 100 },
      { batchEventsMax: 13, insertsMin: 30, rowsPerTableMax: 8 },
    ].entries()) {
      const report = await replayReadModel({
        connection: { connectionString: database.url },
        schema: readModelSchema,
        log,
        readModel: await registryReadModel({ policies: () => readActivatedPolicies(log), otherPolicies: index === 0 }),
        ...limits,
      });
      expect(report).toMatchObject({ switched: true, comparison: { rowsDiffering: 0, differences: [] } });
    }
  });
});
