import type { Metadata } from '@grpc/grpc-js';
import type { Access, Action, Caller } from './access.ts';
import { type CallFailure, failures } from './faults.ts';

export type May = (action: Action, stream: string) => boolean;
/** What the caller may do, or why the call fails: its credentials are wrong. */
export type Rights = May | CallFailure;

/** Reads the credentials of a call. */
export function callerIn(access: Access, { metadata }: { metadata: Metadata }): Caller | CallFailure {
  return access.callerOf(metadata.get('authorization')[0]?.toString()) ?? failures.unauthenticated;
}

export function rightsIn(access: Access): (call: { metadata: Metadata }) => Rights {
  return (call) => {
    const caller = callerIn(access, call);
    if (caller !== 'nobody' && 'code' in caller) return caller;
    return (action, stream) => access.may(caller, action, stream);
  };
}
