import { type AttributesOf, counter, histogram } from '@agent-trust/metrics';
import { DomainError } from '@agent-trust/contracts';

const batches = histogram('registry.projection.batch.duration');
const events = counter('registry.projection.events');
const waits = histogram('registry.read_model.wait.duration');

/** The schemas that follow the log, as metrics name them. */
export type FollowerName = AttributesOf<'registry.projection.events'>['registry.projection'];

/** Measures one follower of the log. */
export function followerMetrics(name: FollowerName) {
  const of = { 'registry.projection': name };
  const [durations, counted] = [batches.with(of), events.with(of)];
  return {
    batch: (countOfEvents: number, tookMs: number): void => {
      durations.record(tookMs / 1_000);
      counted.add(countOfEvents);
    },
    /** A wait of a reader until the follower had reached a position, and the error that ended it without that. */
    wait: (seconds: number, error?: unknown): void =>
      waits.with({ 'error.type': error === undefined ? undefined : codeOf(error) }).record(seconds),
  };
}

const codeOf = (error: unknown): string => (error instanceof DomainError ? error.code : 'error');
