import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import type { Sampling } from './sampling.ts';

/** What tracing costs at this ratio is within what `npm run bench -- telemetry` allows. */
const defaultRatio = 0.05;

/**
 * The sampler of a process.
 * @param isEdge Whether anybody may send this process a trace context. Such a context names the trace, but does not decide whether it is recorded,
 *   neither by its flag nor by its id: everybody's `traceparent` would otherwise have each of their requests traced.
 */
export function samplerOf(sampling: Sampling, isEdge: boolean): Sampler {
  const { sampler = 'parentbased_traceidratio' } = sampling;
  // The ratio of a sampler that is named without one is 1, by OpenTelemetry's specification.
  const share = sampling.ratio ?? (sampling.sampler === undefined ? defaultRatio : 1);
  const byRatio = isEdge ? byChance(share) : new TraceIdRatioBasedSampler(share);
  switch (sampler) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return byRatio;
    case 'parentbased_always_on':
      return parentBased(new AlwaysOnSampler(), isEdge);
    case 'parentbased_always_off':
      return parentBased(new AlwaysOffSampler(), isEdge);
    case 'parentbased_traceidratio':
      return parentBased(byRatio, isEdge);
    default:
      return sampler satisfies never;
  }
}

const parentBased = (root: Sampler, isEdge: boolean): Sampler =>
  new ParentBasedSampler(isEdge ? { root, remoteParentSampled: root, remoteParentNotSampled: root } : { root });

const byChance = (share: number): Sampler => ({
  shouldSample: () => ({
    decision: Math.random() < share ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
  }),
  toString: () => `ByChance{${share}}`,
});
