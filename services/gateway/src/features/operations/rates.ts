import {
  getOperationsRatesRoute,
  instanceAnswer,
  type OperationsRates,
  type Rates,
  type RecentCounts,
  type RecentPositions,
} from '@agent-trust/contracts';
import { metricLimits, stepOf } from '@agent-trust/metrics';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { edgeLimits } from '../../limits.ts';
import { refusedPrefix } from './recent-counts.ts';

const { recentStepMs, recentSteps } = metricLimits;

type Steps = (number | null)[];

/** The values of an instance at the steps that are shown, whose clock may be a little ahead or behind. */
const alignedTo = <Value>(first: number, from: { firstStep: number }, values: readonly (Value | null)[]) =>
  Array.from({ length: recentSteps }, (_, at) => values[first + at - from.firstStep] ?? null);

const ratesOf = (first: number, recent: RecentCounts): Rates => {
  const all = Object.entries(recent.counts).map(([name, counts]) => [name, alignedTo(first, recent, counts)] as const);
  const named = new Map(all);
  const started = named.get('requests');
  // Nothing of the kind, at steps of which something is known.
  const none: Steps = (started ?? Array.from({ length: recentSteps }, () => null)).map((count) => count && 0);
  return {
    requests: started ?? none,
    calls: named.get('calls') ?? none,
    verifies: named.get('verifies') ?? none,
    refusals: all
      .filter(([name]) => name.startsWith(refusedPrefix))
      .map(([name, counts]) => ({ code: name.slice(refusedPrefix.length), counts }))
      .toSorted((a, b) => (a.code < b.code ? -1 : 1)),
  };
};

const sumOf = (all: readonly Steps[]): Steps =>
  Array.from({ length: recentSteps }, (_, at) => {
    const known = all.flatMap((steps) => steps[at] ?? []);
    return known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0);
  });

/** Adds what several gateways counted. */
const summed = (each: readonly Rates[]): Rates => {
  const codes = new Set(each.flatMap(({ refusals }) => refusals.map(({ code }) => code)));
  return {
    requests: sumOf(each.map(({ requests }) => requests)),
    calls: sumOf(each.map(({ calls }) => calls)),
    verifies: sumOf(each.map(({ verifies }) => verifies)),
    refusals: [...codes].toSorted().map((code) => ({
      code,
      counts: sumOf(
        each.flatMap(({ refusals }) => refusals.filter((one) => one.code === code).map(({ counts }) => counts)),
      ),
    })),
  };
};

const lagPoint = (value: RecentPositions['values'][number]) =>
  value && {
    position: value.position,
    head_position: value.headPosition,
    lag: Math.max(0, Number(BigInt(value.headPosition ?? 0) - BigInt(value.position ?? 0))),
  };

/** What the instances that answer in time remember of the last steps, put together. */
export function joinedRates(answers: readonly { service: string; answer: unknown }[], now: Date): OperationsRates {
  const first = stepOf(now.getTime()) - recentSteps;
  const known = answers.flatMap(({ service, answer }) => {
    const { data } = instanceAnswer.safeParse(answer);
    return data?.recent === undefined ? [] : [{ service, ...data, recent: data.recent }];
  });
  const gateways = known
    .flatMap(({ service, instanceId, recent }) =>
      service === 'gateway' && 'counts' in recent ? [{ instance_id: instanceId, rates: ratesOf(first, recent) }] : [],
    )
    .toSorted((a, b) => (a.instance_id < b.instance_id ? -1 : 1));
  const positions = known.flatMap(({ service, instanceId, role, recent }) =>
    service === 'trust-projection' && 'values' in recent ? [{ instanceId, role, recent }] : [],
  );
  const seen = positions.find(({ role }) => role === 'active') ?? positions[0];
  return {
    checked_at: now.toISOString(),
    step_seconds: recentStepMs / 1_000,
    since: new Date(first * recentStepMs).toISOString(),
    sum: summed(gateways.map(({ rates }) => rates)),
    gateways,
    projection:
      seen === undefined
        ? null
        : {
            instance_id: seen.instanceId,
            points: alignedTo(first, seen.recent, seen.recent.values).map(lagPoint),
          },
  };
}

/** Answers 200 whatever the state is: who does not answer is left out. */
export const operationsRates: Endpoint = endpoint(getOperationsRatesRoute, async (_request, { rpc }) => {
  const answers = await rpc.callRoll(edgeLimits.rollCallMs, 'recent').catch(() => []);
  return joinedRates(answers, new Date());
});
