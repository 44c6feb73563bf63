import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import type { Sampling } from './sampling.ts';

/** What tracing costs at this ratio is within what `npm run bench -- telemetry` allows. */
const defaultRatio = 0.01;

const namedOf = ({ sampler = 'parentbased_traceidratio' }: Sampling): NonNullable<Sampling['sampler']> => sampler;

// The ratio of a sampler that is named without one is 1, by OpenTelemetry's specification.
const ratioOf = ({ sampler, ratio }: Sampling): number => ratio ?? (sampler === undefined ? defaultRatio : 1);

/** Whether spans follow the one above them; else each process decides by itself. */
export function followsParent(sampling: Sampling): boolean {
  return namedOf(sampling).startsWith('parentbased_');
}

/** The sampler of a process that only other services call. */
export function samplerOf(sampling: Sampling): Sampler {
  const named = namedOf(sampling);
  switch (named) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratioOf(sampling));
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratioOf(sampling)) });
    default:
      return named satisfies never;
  }
}

/**
 * Draws whether a request's trace is recorded, for a process to which anybody may send a trace context. Such a context names the trace, but does not
 * decide, neither by its flag nor by its id: everybody's `traceparent` would otherwise have each of their requests traced.
 */
export function drawOf(sampling: Sampling): () => boolean {
  const named = namedOf(sampling);
  switch (named) {
    case 'always_on':
    case 'parentbased_always_on':
      return () => true;
    case 'always_off':
    case 'parentbased_always_off':
      return () => false;
    case 'traceidratio':
    case 'parentbased_traceidratio': {
      const share = ratioOf(sampling);
      return () => Math.random() < share;
    }
    default:
      return named satisfies never;
  }
}
