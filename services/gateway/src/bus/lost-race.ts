import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';

/** Whether a compare-and-set of a key-value bucket came too late: somebody else has written the key since. */
export function isLostRace(error: unknown): boolean {
  return (
    error instanceof JetStreamApiError &&
    (error.code === JetStreamApiCodes.StreamWrongLastSequence ||
      error.code === JetStreamApiCodes.StreamWrongLastSequenceUnknown)
  );
}
