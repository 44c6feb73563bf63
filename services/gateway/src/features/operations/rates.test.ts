import { metricLimits, Recorder } from '@agent-trust/metrics';
import { describe, expect, it } from 'vitest';
import { joinedRates } from './rates.ts';
import { countsNow } from './recent-counts.ts';

const { recentStepMs, recentSteps } = metricLimits;
const now = new Date('2026-01-16T08:00:47.000Z');
const firstStep = Math.floor(now.getTime() / recentStepMs) - recentSteps;
/** Nulls, then these. */
const ending = <Value>(...values: Value[]): (Value | null)[] => [
  ...Array.from({ length: recentSteps - values.length }, () => null),
  ...values,
];
const instance = (service: string, instanceId: string, recent: unknown, role: string | null = null) => ({
  service,
  answer: {
    instanceId,
    version: '1.0.0',
    startedAt: '2026-01-16T07:00:00.000Z',
    role,
    fault: null,
    poisonPosition: null,
    recent,
  },
});
const counted = (counts: Record<string, (number | null)[]>, first = firstStep) => ({ firstStep: first, counts });

describe('what instances remember', () => {
  it('is put together by gateway and summed, also where the clock of one is a step ahead', () => {
    const { sum, gateways, since, step_seconds } = joinedRates(
      [
        instance(
          'gateway',
          'b',
          counted({ requests: ending(5, 6), calls: ending(1, 0), 'refused not_found': ending(0, 2) }),
        ),
        instance('gateway', 'a', counted({ requests: ending(7, 8, 9), verifies: ending(7, 8, 9) }, firstStep + 1)),
      ],
      now,
    );
    expect([since, step_seconds]).toEqual(['2026-01-16T07:45:45.000Z', 15]);
    expect(gateways.map((one) => one.instance_id)).toEqual(['a', 'b']);
    // Its last step is still running here.
    expect(gateways[0]?.rates.requests).toEqual(ending(7, 8));
    expect(gateways[0]?.rates.calls).toEqual(ending(0, 0));
    expect(sum.requests).toEqual(ending(12, 14));
    expect(sum.calls).toEqual(ending(1, 0));
    expect(sum.verifies).toEqual(ending(7, 8));
    expect(sum.refusals).toEqual([{ code: 'not_found', counts: ending(0, 2) }]);
  });

  it('has the lag as the active instance saw it', () => {
    const seen = (position: string | null, headPosition: string | null) => ({
      firstStep,
      values: ending({ position, headPosition }),
    });
    const answers = [
      instance('trust-projection', 'standby', seen('1', '2'), 'standby'),
      instance('trust-projection', 'active', seen('9007199254740993', '9007199254740995'), 'active'),
    ];
    expect(joinedRates(answers, now).projection).toEqual({
      instance_id: 'active',
      points: ending({ position: '9007199254740993', head_position: '9007199254740995', lag: 2 }),
    });
    expect(joinedRates(answers.slice(0, 1), now).projection?.instance_id).toBe('standby');
    const empty = joinedRates([instance('trust-projection', 'new', seen(null, null), 'active')], now);
    expect(empty.projection?.points.at(-1)).toEqual({ position: null, head_position: null, lag: 0 });
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'requests'],
    ['negative counts', counted({ requests: [-1] })],
    ['fractions', counted({ requests: [0.5] })],
    ['more steps than there are', counted({ requests: Array.from({ length: 241 }, () => 1) })],
    ['more names than there are', counted(Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`n${n}`, [1]])))],
    ['no position', { firstStep, values: [{ position: 'x', headPosition: '1' }] }],
  ])('is left out if it is %s', (_what, recent) => {
    const { gateways, sum, projection } = joinedRates(
      [instance('gateway', 'g', recent), instance('trust-projection', 'p', recent, 'active')],
      now,
    );
    expect([gateways, projection]).toEqual([[], null]);
    expect(sum.requests).toEqual(ending());
  });

  it('counts as another service nothing of a gateway', () => {
    expect(joinedRates([instance('call-proxy', 'c', counted({ requests: ending(1) }))], now).gateways).toEqual([]);
  });
});

describe('the counts of a gateway', () => {
  it('are its requests by route, and its refusals by code', () => {
    const recorder = new Recorder();
    const request = (route: string, status = '200') =>
      recorder
        .histogram('http.server.request.duration')
        .with({
          'http.request.method': 'POST',
          'url.scheme': 'http',
          'http.route': route,
          'http.response.status_code': status,
        })
        .record(0.01);
    for (const route of ['/call', '/call', '/verify', '/verify/batch', '/match']) request(route);
    request('/call', '429');
    const refusals = recorder.counter('registry.http.refusals');
    refusals.with({ 'http.route': '/call', 'error.type': 'rate_limited' }).add();
    refusals.with({ 'http.route': '/rotate', 'error.type': 'rate_limited' }).add();
    expect(Object.fromEntries(countsNow(recorder))).toEqual({
      requests: 6,
      calls: 3,
      verifies: 2,
      'refused rate_limited': 2,
    });
  });
});
