import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { type sendUnaryData, type ServerReadableStream, status } from '@grpc/grpc-js';
import { type Faults, failures } from './faults.ts';
import type { AppendDecision, Expected, ProposedEvent, Store } from './store.ts';

type AppendCall = ServerReadableStream<streams.AppendReq, streams.AppendResp>;

export function serveAppend(store: Store, faults: Faults, calls: { append: number }) {
  return (call: AppendCall, answer: sendUnaryData<streams.AppendResp>): void => {
    calls.append += 1;
    let options: streams.AppendReq.Options | undefined;
    const proposed: ProposedEvent[] = [];
    call.on('data', (request: streams.AppendReq) => {
      options = request.getOptions() ?? options;
      const message = request.getProposedMessage();
      if (message !== undefined) proposed.push(proposedEvent(message));
    });
    call.on('error', () => undefined);
    call.on('end', () => {
      const fault = faults.append.shift();
      if (fault === 'mute' || options === undefined) return;
      if (fault !== undefined && fault !== 'written, no answer') return answer(fault);
      const stream = Buffer.from(options.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString('utf8');
      const expected = expectedOf(options);
      const decision = store.append(stream, expected, proposed);
      if (fault === 'written, no answer') return answer({ code: status.UNAVAILABLE, details: 'Connection dropped' });
      if (decision.kind === 'deleted') return answer(failures.streamDeleted(stream));
      answer(null, response(decision, expected));
    });
  };
}

const proposedEvent = (message: streams.AppendReq.ProposedMessage): ProposedEvent => ({
  id: message.getId()?.getString() ?? '',
  metadata: new Map(message.getMetadataMap().getEntryList()),
  customMetadata: message.getCustomMetadata_asU8(),
  data: message.getData_asU8(),
});

const expectedOf = (options: streams.AppendReq.Options): Expected => {
  if (options.hasAny()) return 'any';
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasStreamExists()) return 'stream_exists';
  return BigInt(options.getRevision());
};

const response = (decision: Exclude<AppendDecision, { kind: 'deleted' }>, expected: Expected): streams.AppendResp => {
  const answer = new streams.AppendResp();
  if (decision.kind === 'wrong expected version') {
    const refusal = new streams.AppendResp.WrongExpectedVersion();
    if (decision.current < 0n) refusal.setCurrentNoStream(new shared.Empty());
    else refusal.setCurrentRevision(decision.current.toString());
    if (expected === 'any') refusal.setExpectedAny(new shared.Empty());
    else if (expected === 'no_stream') refusal.setExpectedNoStream(new shared.Empty());
    else if (expected === 'stream_exists') refusal.setExpectedStreamExists(new shared.Empty());
    else refusal.setExpectedRevision(expected.toString());
    answer.setWrongExpectedVersion(refusal);
    return answer;
  }
  const success = new streams.AppendResp.Success();
  success.setCurrentRevision(decision.revision.toString());
  if (decision.kind === 'repeated') {
    // A server that finds the events only in its index answers without a position.
    success.setNoPosition(new shared.Empty());
  } else {
    const position = new streams.AppendResp.Position();
    position.setCommitPosition(decision.position.toString());
    position.setPreparePosition(decision.position.toString());
    success.setPosition(position);
  }
  answer.setSuccess(success);
  return answer;
};
