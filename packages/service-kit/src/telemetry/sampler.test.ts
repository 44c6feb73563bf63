import { ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import { SamplingDecision } from '@opentelemetry/sdk-trace';
import { describe, expect, it } from 'vitest';
import { samplerOf } from './sampler.ts';
import { samplerNames, type Sampling } from './sampling.ts';

/** Ids that a sampler by ratio takes first and last. */
const lowTraceId = '00000000000000000000000000000001';
const highTraceId = 'ffffffff000000000000000000000000';

const isSampled = (
  sampling: Sampling,
  { isEdge = false, parent }: { isEdge?: boolean; parent?: { isSampled: boolean; isRemote: boolean } },
  traceId = highTraceId,
): boolean => {
  const within =
    parent === undefined
      ? ROOT_CONTEXT
      : trace.setSpanContext(ROOT_CONTEXT, {
          traceId,
          spanId: '00000000000000ab',
          traceFlags: parent.isSampled ? 1 : 0,
          isRemote: parent.isRemote,
        });
  const { decision } = samplerOf(sampling, isEdge).shouldSample(within, traceId, 'x', SpanKind.SERVER, {}, []);
  return decision === SamplingDecision.RECORD_AND_SAMPLED;
};

const sampledParent = { isSampled: true, isRemote: true };
const unsampledParent = { isSampled: false, isRemote: true };

describe('the sampler of a service behind the gateway', () => {
  it.each(samplerNames.filter((name) => name.startsWith('parentbased')))('%s follows its caller', (sampler) => {
    const sampling = { sampler, ratio: 0.5 };
    expect(isSampled(sampling, { parent: sampledParent })).toBe(true);
    expect(isSampled(sampling, { parent: unsampledParent })).toBe(false);
  });

  it('decides by name and ratio where a trace begins', () => {
    expect(isSampled({ sampler: 'always_on', ratio: undefined }, {})).toBe(true);
    expect(isSampled({ sampler: 'parentbased_always_off', ratio: undefined }, {})).toBe(false);
    expect(isSampled({ sampler: 'traceidratio', ratio: undefined }, {})).toBe(true);
    expect(isSampled({ sampler: 'traceidratio', ratio: 0.01 }, {}, lowTraceId)).toBe(true);
    expect(isSampled({ sampler: 'traceidratio', ratio: 0.01 }, {}, highTraceId)).toBe(false);
  });

  it('records few traces if nothing is set', () => {
    expect(isSampled({ sampler: undefined, ratio: undefined }, {}, highTraceId)).toBe(false);
    expect(isSampled({ sampler: undefined, ratio: undefined }, {}, lowTraceId)).toBe(true);
  });
});

describe('the sampler of the gateway', () => {
  it('is not told by a caller to record, neither by a flag nor by an id', () => {
    const sampling = { sampler: 'parentbased_traceidratio', ratio: 0 } as const;
    expect(isSampled(sampling, { isEdge: true, parent: sampledParent }, lowTraceId)).toBe(false);
    const all = { sampler: 'parentbased_traceidratio', ratio: 1 } as const;
    expect(isSampled(all, { isEdge: true, parent: unsampledParent })).toBe(true);
  });

  it('follows its own spans', () => {
    const none = { sampler: 'parentbased_traceidratio', ratio: 0 } as const;
    expect(isSampled(none, { isEdge: true, parent: { isSampled: true, isRemote: false } })).toBe(true);
  });
});
