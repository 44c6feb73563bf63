import { ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import { SamplingDecision } from '@opentelemetry/sdk-trace';
import { describe, expect, it } from 'vitest';
import { drawOf, samplerOf } from './sampler.ts';
import { samplerNames, type Sampling } from './sampling.ts';

/** Ids that a sampler by ratio takes first and last. */
const lowTraceId = '00000000000000000000000000000001';
const highTraceId = 'ffffffff000000000000000000000000';

const isSampled = (sampling: Sampling, parent?: { isSampled: boolean }, traceId = highTraceId): boolean => {
  const within =
    parent === undefined
      ? ROOT_CONTEXT
      : trace.setSpanContext(ROOT_CONTEXT, {
          traceId,
          spanId: '00000000000000ab',
          traceFlags: parent.isSampled ? 1 : 0,
          isRemote: true,
        });
  const { decision } = samplerOf(sampling).shouldSample(within, traceId, 'x', SpanKind.SERVER, {}, []);
  return decision === SamplingDecision.RECORD_AND_SAMPLED;
};

describe('the sampler of a service behind the gateway', () => {
  it.each(samplerNames.filter((name) => name.startsWith('parentbased')))('%s follows its caller', (sampler) => {
    const sampling = { sampler, ratio: 0.5 };
    expect(isSampled(sampling, { isSampled: true })).toBe(true);
    expect(isSampled(sampling, { isSampled: false })).toBe(false);
  });

  it('decides by name and ratio where a trace begins', () => {
    expect(isSampled({ sampler: 'always_on', ratio: undefined })).toBe(true);
    expect(isSampled({ sampler: 'parentbased_always_off', ratio: undefined })).toBe(false);
    expect(isSampled({ sampler: 'traceidratio', ratio: undefined })).toBe(true);
    expect(isSampled({ sampler: 'traceidratio', ratio: 0.01 }, undefined, lowTraceId)).toBe(true);
    expect(isSampled({ sampler: 'traceidratio', ratio: 0.01 }, undefined, highTraceId)).toBe(false);
  });

  it('records few traces if nothing is set', () => {
    expect(isSampled({ sampler: undefined, ratio: undefined }, undefined, highTraceId)).toBe(false);
    expect(isSampled({ sampler: undefined, ratio: undefined }, undefined, lowTraceId)).toBe(true);
  });
});

describe('the draw of the gateway', () => {
  /** Of requests that come one second after another. */
  const shareOf = (sampling: Sampling, draws = 20_000): number => {
    let seconds = 0;
    const draw = drawOf(sampling, () => ++seconds * 1_000);
    return Array.from({ length: draws }, draw).filter(Boolean).length / draws;
  };

  it.each([
    ['always_on', undefined, 1],
    ['parentbased_always_on', undefined, 1],
    ['always_off', undefined, 0],
    ['parentbased_always_off', undefined, 0],
    ['traceidratio', undefined, 1],
    ['parentbased_traceidratio', 0, 0],
    ['parentbased_traceidratio', 1, 1],
  ] as const)('%s with ratio %s takes a share of %s', (sampler, ratio, share) => {
    expect(shareOf({ sampler, ratio })).toBe(share);
  });

  it('takes the share that is set, and few if nothing is', () => {
    expect(shareOf({ sampler: 'traceidratio', ratio: 0.5 })).toBeCloseTo(0.5, 1);
    const few = shareOf({ sampler: undefined, ratio: undefined });
    expect(few).toBeGreaterThan(0);
    expect(few).toBeLessThan(0.02);
  });

  it('takes ten in a second at most if nothing is set, and as many as what is set', () => {
    let now = 5_000;
    const inSecond = (draw: () => boolean): number => Array.from({ length: 20_000 }, draw).filter(Boolean).length;
    const draw = drawOf({ sampler: undefined, ratio: undefined }, () => now);
    expect(inSecond(draw)).toBe(10);
    now += 999;
    expect(inSecond(draw)).toBe(0);
    now += 1;
    expect(inSecond(draw)).toBe(10);
    expect(inSecond(drawOf({ sampler: 'traceidratio', ratio: 0.5 }, () => now))).toBeGreaterThan(9_000);
    expect(inSecond(drawOf({ sampler: undefined, ratio: 0.5 }, () => now))).toBeGreaterThan(9_000);
  });
});
