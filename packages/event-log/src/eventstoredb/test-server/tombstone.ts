import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js';
import { failures, serviceError } from './faults.ts';
import type { Rights } from './rights.ts';
import type { Store } from './store.ts';

type Call = ServerUnaryCall<streams.TombstoneReq, streams.TombstoneResp>;

/** Deletes streams for good. The events stay in the log, as they do in a real server until it is scavenged. */
export function serveTombstone(store: Store, rightsOf: (call: Call) => Rights) {
  return (call: Call, answer: sendUnaryData<streams.TombstoneResp>): void => {
    const may = rightsOf(call);
    if (typeof may !== 'function') return answer(serviceError(may));
    const options = call.request.getOptions();
    const name = Buffer.from(options?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString('utf8');
    if (!may('delete', name)) return answer(serviceError(failures.accessDenied));
    const last = BigInt(store.stream(name).length) - 1n;
    if (store.isTombstoned(name)) answer(serviceError(failures.streamDeleted(name)));
    else if (options?.hasRevision() === true && BigInt(options.getRevision()) !== last)
      answer(serviceError(failures.wrongVersion(name)));
    else {
      store.tombstone(name);
      answer(null, new streams.TombstoneResp());
    }
  };
}
