import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import type { Sampling } from './sampling.ts';

/** What tracing costs at this ratio, `npm run bench -- telemetry` shows. */
const defaultRatio = 0.01;
/** As much as says what requests do. Where thousands come in a second, one in a hundred tells nothing more, and each costs what dozens of answers from memory do. */
const defaultDrawsPerSecondMax = 10;

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
 * decide, neither by its flag nor by its id: everybody's `traceparent` would otherwise have each of their requests traced. Only where nothing is set is
 * there a most of a second.
 * @param now in milliseconds, of a clock that is never set back
 */
export function drawOf(sampling: Sampling, now: () => number = () => performance.now()): () => boolean {
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
      const draw = (): boolean => Math.random() < share;
      const isDefault = sampling.sampler === undefined && sampling.ratio === undefined;
      return isDefault ? atMost(defaultDrawsPerSecondMax, draw, now) : draw;
    }
    default:
      return named satisfies never;
  }
}

/** Draws true so many times in a second at most. */
const atMost = (perSecondMax: number, draw: () => boolean, now: () => number): (() => boolean) => {
  let second = -1;
  let drawn = 0;
  return () => {
    if (!draw()) return false;
    const current = Math.floor(now() / 1_000);
    if (current !== second) [second, drawn] = [current, 0];
    drawn += 1;
    return drawn <= perSecondMax;
  };
};
