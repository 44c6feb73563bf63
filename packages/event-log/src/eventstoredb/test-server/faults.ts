import { Metadata, type ServiceError, status } from '@grpc/grpc-js';

/**
 * Faults of the next calls, one entry each; an empty list is a healthy server. 'mute': the call is accepted and never answered. 'written, no answer':
 * the append is made, then the call fails.
 */
export type Faults = {
  append: ('mute' | 'written, no answer' | ServiceError)[];
  read: ('mute' | ServiceError)[];
  /** Failures of the next subscriptions. */
  subscribeFailures: ServiceError[];
  /** Subscriptions are accepted and never confirmed. */
  muteSubscriptions: boolean;
  /** Subscriptions are confirmed, and nothing follows. */
  deadSubscriptions: boolean;
};

const serviceError = (code: status, details: string, trailers: Record<string, string> = {}): ServiceError => {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value);
  return Object.assign(new Error(details), { code, details, metadata });
};

/** Failures as a real server reports them, with status codes and trailers. */
export const failures = {
  unavailable: (): ServiceError => serviceError(status.UNAVAILABLE, 'Server Is Not Ready'),
  aborted: (): ServiceError => serviceError(status.ABORTED, 'Operation timed out'),
  unknown: (): ServiceError => serviceError(status.UNKNOWN, 'Exception was thrown by handler.'),
  accessDenied: (): ServiceError =>
    serviceError(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' }),
  notLeader: (host: string, port: number): ServiceError =>
    serviceError(status.NOT_FOUND, 'Leader info available', {
      exception: 'not-leader',
      'leader-endpoint-host': host,
      'leader-endpoint-port': String(port),
    }),
  notLeaderWithoutAddress: (): ServiceError =>
    serviceError(status.NOT_FOUND, 'Not leader', { exception: 'not-leader' }),
  streamDeleted: (stream: string): ServiceError =>
    serviceError(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
      exception: 'stream-deleted',
      'stream-name': stream,
    }),
  wrongExpectedVersion: (stream: string, expected: string, actual: string): ServiceError =>
    serviceError(status.FAILED_PRECONDITION, 'Append failed due to WrongExpectedVersion.', {
      exception: 'wrong-expected-version',
      'stream-name': stream,
      'expected-version': expected,
      'actual-version': actual,
    }),
  maximumAppendSizeExceeded: (): ServiceError =>
    serviceError(status.INVALID_ARGUMENT, 'Maximum Append Size of 1048576 Exceeded.', {
      exception: 'maximum-append-size-exceeded',
      'maximum-append-size': '1048576',
    }),
} as const;
