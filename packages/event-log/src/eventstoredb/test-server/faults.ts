import { Metadata, type ServiceError, status } from '@grpc/grpc-js';

/** How a call fails: status, details and trailers. */
export type CallFailure = { code: status; details: string; trailers?: Record<string, string> };

/** How an append is refused in an answer to it alone, as `google.rpc.Status`; `type` is the message in its details. */
export type AppendRefusal = { refusal: { code: number; message: string; type: string } };

/**
 * Faults of the next calls, one entry each; an empty list is a healthy server. 'mute': the call is accepted and never answered. 'written, no answer':
 * the append is made, then the call fails. A `CallFailure` ends the call, and with it all appends that wait for their answers.
 */
export type Faults = {
  append: ('mute' | 'written, no answer' | AppendRefusal | CallFailure)[];
  read: ('mute' | CallFailure)[];
  /** Failures of the next subscriptions. */
  subscribeFailures: CallFailure[];
  /** Subscriptions are accepted and never confirmed. */
  muteSubscriptions: boolean;
  /** Subscriptions are confirmed, and nothing follows. */
  deadSubscriptions: boolean;
};

export function noFaults(): Faults {
  return { append: [], read: [], subscribeFailures: [], muteSubscriptions: false, deadSubscriptions: false };
}

export function serviceError({ code, details, trailers = {} }: CallFailure): ServiceError {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value);
  return Object.assign(new Error(details), { code, details, metadata });
}

/** Failures as a real server reports them, with status codes and trailers. */
export const failures = {
  unavailable: { code: status.UNAVAILABLE, details: 'Server Is Not Ready' },
  shuttingDown: { code: status.UNAVAILABLE, details: 'Connection dropped' },
  aborted: { code: status.ABORTED, details: 'Operation timed out' },
  unknown: { code: status.UNKNOWN, details: 'Exception was thrown by handler.' },
  invalidPosition: { code: status.UNKNOWN, details: 'Unexpected ReadAllResult: InvalidPosition' },
  noLeader: { code: status.UNKNOWN, details: 'No leader info available in response' },
  accessDenied: {
    code: status.PERMISSION_DENIED,
    details: 'Access Denied',
    trailers: { exception: 'access-denied' },
  },
  /** The server answers it as HTTP 401, which a client reads as this status. */
  unauthenticated: { code: status.UNAUTHENTICATED, details: 'Received HTTP status code 401' },
  userNotFound: (name: string): CallFailure => ({
    code: status.NOT_FOUND,
    details: `User '${name}' is not found.`,
    trailers: { exception: 'user-not-found', 'login-name': name },
  }),
  notLeader: (host: string, port: number): CallFailure => ({
    code: status.NOT_FOUND,
    details: 'Leader info available',
    trailers: { exception: 'not-leader', 'leader-endpoint-host': host, 'leader-endpoint-port': String(port) },
  }),
  wrongVersion: (stream: string): CallFailure => ({
    code: status.FAILED_PRECONDITION,
    details: `Append failed due to WrongExpectedVersion. Stream: ${stream}`,
    trailers: { exception: 'wrong-expected-version', 'stream-name': stream },
  }),
  streamDeleted: (stream: string): CallFailure => ({
    code: status.FAILED_PRECONDITION,
    details: `Event stream '${stream}' is deleted.`,
    trailers: { exception: 'stream-deleted', 'stream-name': stream },
  }),
} as const;

const refusal = (code: number, message: string, type = `event_store.client.${message}`): AppendRefusal => ({
  refusal: { code, message, type },
});
const unexplained = 'google.protobuf.Empty';

/** Refusals of one append, as a real server words them; those without a type of their own come with status OK. */
export const refusals = {
  notReady: refusal(status.OK, 'Server Is Not Ready', unexplained),
  busy: refusal(status.OK, 'Server Is Busy', unexplained),
  noLeader: refusal(status.OK, 'No leader info available in response', unexplained),
  timeout: refusal(status.DEADLINE_EXCEEDED, 'Timeout'),
  unknown: refusal(status.UNKNOWN, 'Unknown'),
  accessDenied: refusal(status.PERMISSION_DENIED, 'AccessDenied'),
  streamDeleted: refusal(status.NOT_FOUND, 'StreamDeleted'),
  tooLarge: refusal(status.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded'),
} as const;
