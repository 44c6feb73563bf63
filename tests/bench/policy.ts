/**
 * `npm run bench -- policy`: what trust policy v2 costs beside v1. Three measurements, each in a temporary Postgres: replays of the same log under
 * both policies; a review that changes the record of an organisation, and with it the score of each of its agents; the switch of a registry that
 * has run under v1, tried beforehand by what-if and compared afterwards by a replay.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startEmbeddedPostgres } from '@agent-trust/embedded-servers';
import type { EventLog } from '@agent-trust/event-log';
import { startRunner } from '@agent-trust/projections';
import { waitFor } from '@agent-trust/test-kit';
import { type AnyTrustPolicy, policyV1, policyV2 } from '@agent-trust/trust-policy';
import pg from 'pg';
import { readActivatedPolicies } from '../../services/trust-projection/src/projector/activated-policies.ts';
import { registryReadModel } from '../../services/trust-projection/src/projector/read-models/registry-read-model.ts';
import { readModelSchema } from '../../services/trust-projection/src/shared/database.ts';
import { appendActivation } from '../../services/trust-projection/src/testing/append-activation.ts';
import {
  agentRegistered,
  appendHistory as appendEvents,
  exchangeReviewed,
  organisationCreated,
} from '../../services/trust-projection/src/testing/made-history.ts';
import { activatePolicy } from '../../services/trust-projection/src/tools/policy-activate/activate-policy.ts';
import { appendHistory } from '../support/history.ts';
import { type Aim, aimLine, isMet, rate } from './aims.ts';
import { measureLog, project, settle, withLog } from './replay.ts';
import { bootstrap, runReplay } from './replay-command.ts';
import { median } from './telemetry/paired.ts';

type Say = (line: string) => void;

/** Of the exchanges that are reviewed: few, as where most callers never review, and many. */
const reviewShares = { few: 0.05, many: 0.6 } as const;
/** A replay of a log whose reviews are few may be slower under v2 by this share. */
const slowerMax = 0.1;
/** Each policy comes first as often as second: a machine changes meanwhile. */
const replayOrder: readonly AnyTrustPolicy[] = [policyV1, policyV2, policyV2, policyV1];
const replayedAgents = 1_000;

const members = 10_000;
/** Organisations whose record falls, one after another. */
const fallingOrganisations = 3;
const fanOutMsMax = 1_000;
const projectedWithinMs = 60_000;

const reviewsPerAgent = 10;

const seconds = (sinceMs: number): number => (performance.now() - sinceMs) / 1_000;

const compareReplays = async (serverUrl: string, eventCount: number, say: Say): Promise<Aim[]> => {
  const aims: Aim[] = [];
  for (const [which, reviewShare] of Object.entries(reviewShares)) {
    const speeds: Record<string, number[]> = { v1: [], v2: [] };
    for (const policy of replayOrder) {
      const size = { eventCount, agentCount: replayedAgents, reviewShare, policy };
      const { eventsPerSecond } = await measureLog(serverUrl, size, () => undefined);
      say(`  ${which} reviews, ${policy.name}: ${rate(eventsPerSecond)} events a second`);
      speeds[policy.name]?.push(eventsPerSecond);
    }
    const [v1 = [], v2 = []] = [speeds['v1'], speeds['v2']];
    const slower = 1 - median(v2) / median(v1);
    say(`${which} reviews (${reviewShare * 100} % of exchanges): v2 is ${(slower * 100).toFixed(1)} % slower than v1`);
    if (which === 'few')
      aims.push(['share by which a replay with few reviews is slower under v2', '≤', slowerMax, slower]);
  }
  return aims;
};

const at = (day: number): string => new Date(Date.UTC(2026, 2, day)).toISOString();

/** How long the projection needs for each of some reviews, from the append to the commit, in ms. */
const timeReviews = async (
  url: string,
  log: EventLog,
  reviews: readonly ReturnType<typeof exchangeReviewed>[],
): Promise<number[]> => {
  const readModel = await registryReadModel({ policies: () => readActivatedPolicies(log) });
  const runner = startRunner({ connection: { connectionString: url }, schema: readModelSchema, log, readModel });
  const times: number[] = [];
  for (const review of reviews) {
    const began = performance.now();
    const position = await appendEvents(log, [review]);
    await waitFor(() => (runner.status().position ?? 0n) >= position, {
      timeoutMs: projectedWithinMs,
      intervalMs: 1,
      description: 'the review in the read models',
    });
    times.push(performance.now() - began);
  }
  await runner.stop();
  return times;
};

const measureFanOut = (serverUrl: string, say: Say): Promise<Aim[]> =>
  withLog(serverUrl, async (url, log) => {
    const falling = Array.from({ length: fallingOrganisations }, (_, index) => `falling-${index}`);
    const anchors = ['alpha', 'beta', 'gamma'];
    await appendEvents(
      log,
      [...anchors, ...falling].map((orgId) => organisationCreated(orgId, at(1))),
    );
    const agent = (orgId: string, index: number) =>
      agentRegistered({ agentId: `${orgId}-${index}`, orgId, verified: true }, at(1));
    await appendEvents(log, [
      ...anchors.map((orgId) => agent(orgId, 0)),
      ...falling.flatMap((orgId) => Array.from({ length: members }, (_, index) => agent(orgId, index))),
    ]);
    await appendActivation(log, { ...policyV2, name: 'anchored', constants: { ...policyV2.constants, anchors } }, 0);
    await project(url);
    await settle(url);
    // Of three established organisations that report a failure, the first changes no record: the worst root is left out.
    const reviews = falling.flatMap((orgId, at0) =>
      anchors.map((reviewer, index) =>
        exchangeReviewed(
          { transactionId: `${orgId}-${index}`, callerAgentId: `${reviewer}-0`, receiverAgentId: `${orgId}-${index}` },
          at(2 + at0),
          { success: false, score: 1, trustScore: 80, orgId: reviewer, roots: { [reviewer]: 1 } },
        ),
      ),
    );
    const times = await timeReviews(url, log, reviews);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ changes: number }>(
      `SELECT count(*)::int AS changes FROM ${readModelSchema}.trust_history WHERE cause_type = 'record'`,
    );
    await client.end();
    const changedEach = fallingOrganisations * 2 * (members - 1);
    if (rows[0]?.changes !== changedEach)
      throw new Error(`${rows[0]?.changes} scores changed with a record, not ${changedEach}`);
    const quiet = times.filter((_, index) => index % anchors.length === 0);
    const fanOuts = times.filter((_, index) => index % anchors.length > 0);
    const worst = Math.max(...fanOuts);
    say(
      `A record of ${rate(members)} agents: ${Math.round(median(fanOuts))} ms until all are projected, ${Math.round(worst)} ms at most; a review that changes no record ${Math.round(median(quiet))} ms`,
    );
    return [[`ms that a record of ${rate(members)} agents holds the projection, at most`, '<', fanOutMsMax, worst]];
  });

const whatIf = async (url: string): Promise<void> => {
  const child = spawn(process.execPath, [bootstrap, 'whatif', '--policy', 'v2', '--json'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DATABASE_URL: url, EVENT_LOG_URL: url },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`whatif ended with ${code}`);
};

const measureSwitch = (serverUrl: string, agentCount: number, say: Say): Promise<Aim[]> =>
  withLog(serverUrl, async (url, log) => {
    // An agent has two events, an exchange that is reviewed three.
    const eventCount = agentCount * (2 + 3 * reviewsPerAgent);
    const { events } = await appendHistory(log, { seed: 1, eventCount, agentCount, prefix: 'switch', reviewShare: 1 });
    say(`A registry of ${rate(agentCount)} agents, ${rate(events)} events; the live projection under v1…`);
    say(`  ${rate(await project(url))} events a second; what-if…`);
    let began = performance.now();
    await whatIf(url);
    say(`  what-if of v2: ${seconds(began).toFixed(0)} s; the switch…`);
    began = performance.now();
    const { report } = await activatePolicy({
      connection: { connectionString: url },
      log,
      policy: policyV2,
      append: (activationsBefore) => appendActivation(log, policyV2, activationsBefore),
    });
    if (!report.switched) throw new Error('the read models were not switched');
    say(`  the switch: ${seconds(began).toFixed(0)} s; the replay…`);
    await settle(url);
    // Ends with an error if a single row differs.
    const replay = await runReplay({ DATABASE_URL: url, EVENT_LOG_URL: url });
    say(
      `  replayed equal, every row, in ${replay.seconds.toFixed(0)} s (${rate(replay.eventsPerSecond)} events a second while building, ${rate(replay.peakMib)} MiB at most)`,
    );
    return [];
  });

/** Prints the figures; whether all aims are met. */
export async function benchPolicy(size: { events: number; agents: number }, say: Say): Promise<boolean> {
  const server = await startEmbeddedPostgres({ ephemeral: true });
  try {
    const aims = [
      ...(await measureFanOut(server.url, say)),
      ...(await compareReplays(server.url, size.events, say)),
      ...(await measureSwitch(server.url, size.agents, say)),
    ];
    for (const aim of aims) say(aimLine(aim));
    return aims.every(isMet);
  } finally {
    await server.stop();
  }
}
