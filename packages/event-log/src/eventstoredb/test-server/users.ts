import users from '@eventstore/db-client/generated/users_pb.js';
import type { ServerWritableStream } from '@grpc/grpc-js';
import type { Access, Caller } from './access.ts';
import { type CallFailure, failures, serviceError } from './faults.ts';

type Call = ServerWritableStream<users.DetailsReq, users.DetailsResp>;

/** Tells a user of itself, and an administrator of every user. */
export function serveUserDetails(access: Access, callerOf: (call: Call) => Caller | CallFailure) {
  return (call: Call): void => {
    const caller = callerOf(call);
    const fail = (failure: CallFailure): boolean => call.emit('error', serviceError(failure));
    if (caller !== 'nobody' && 'code' in caller) return void fail(caller);
    const name = call.request.getOptions()?.getLoginName() ?? '';
    if (caller === 'nobody' || (caller.name !== name && !access.isAdmin(caller)))
      return void fail(failures.accessDenied);
    const user = access.users.get(name);
    if (user === undefined) return void fail(failures.userNotFound(name));
    const details = new users.DetailsResp.UserDetails();
    details.setLoginName(name);
    details.setFullName(user.fullName);
    details.setGroupsList([...user.groups]);
    const answer = new users.DetailsResp();
    answer.setUserDetails(details);
    call.write(answer);
    call.end();
  };
}
