import shared from '@eventstore/db-client/generated/shared_pb.js';
import statusMessage from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { type ServerDuplexStream, status } from '@grpc/grpc-js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import type { May, Rights } from './rights.ts';
import { type AppendRefusal, type CallFailure, type Faults, failures, refusals, serviceError } from './faults.ts';
import type { AppendDecision, Expected, ProposedEvent } from './store.ts';

type AppendCall = ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>;

/** Makes an append, or says why this node cannot now. */
export type Write = (
  stream: string,
  expected: Expected,
  proposed: readonly ProposedEvent[],
) => Promise<AppendDecision | AppendRefusal | CallFailure>;

export function serveBatchAppend(
  write: Write,
  faults: Faults,
  calls: { append: number; batchAppend: number },
  rightsOf: (call: AppendCall) => Rights,
) {
  return (call: AppendCall): void => {
    calls.batchAppend += 1;
    call.on('error', () => undefined);
    const may = rightsOf(call);
    if (typeof may !== 'function') return void call.emit('error', serviceError(may));
    call.on('data', (request: streams.BatchAppendReq) => void answer(call, request, may));
    call.on('end', () => call.end());
  };

  async function answer(call: AppendCall, request: streams.BatchAppendReq, may: May): Promise<void> {
    calls.append += 1;
    const fault = faults.append.shift();
    const options = request.getOptions();
    if (fault === 'mute' || options === undefined) return;
    const fail = (failure: CallFailure): void => {
      if (!call.cancelled) call.emit('error', serviceError(failure));
    };
    const respond = (fill: (response: streams.BatchAppendResp) => void): void => {
      if (call.cancelled || call.destroyed || call.writableEnded) return;
      const response = new streams.BatchAppendResp();
      response.setCorrelationId(request.getCorrelationId());
      response.setStreamIdentifier(options.getStreamIdentifier());
      fill(response);
      call.write(response);
    };
    if (fault !== undefined && fault !== 'written, no answer') {
      if ('refusal' in fault) respond((response) => response.setError(statusOf(fault)));
      else fail(fault);
      return;
    }
    const stream = Buffer.from(options.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString('utf8');
    if (!may('write', stream)) return respond((response) => response.setError(statusOf(refusals.accessDenied)));
    const expected = expectedOf(options);
    const decision = await write(stream, expected, request.getProposedMessagesList().map(proposedEvent));
    if (fault === 'written, no answer') return fail(failures.shuttingDown);
    if ('code' in decision) return fail(decision);
    respond((response) => {
      if ('refusal' in decision) response.setError(statusOf(decision));
      else if (decision.kind === 'deleted') response.setError(statusOf(refusals.streamDeleted));
      else if (decision.kind === 'wrong expected version') response.setError(wrongVersion(decision.current, expected));
      else response.setSuccess(successOf(decision));
    });
  }
}

const proposedEvent = (message: streams.BatchAppendReq.ProposedMessage): ProposedEvent => ({
  id: message.getId()?.getString() ?? '',
  metadata: new Map(message.getMetadataMap().getEntryList()),
  customMetadata: message.getCustomMetadata_asU8(),
  data: message.getData_asU8(),
});

const expectedOf = (options: streams.BatchAppendReq.Options): Expected => {
  if (options.hasAny()) return 'any';
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasStreamExists()) return 'stream_exists';
  return BigInt(options.getStreamPosition());
};

const successOf = (decision: Extract<AppendDecision, { kind: 'ok' | 'repeated' }>): streams.BatchAppendResp.Success => {
  const success = new streams.BatchAppendResp.Success();
  success.setCurrentRevision(decision.revision.toString());
  // A server that finds the events only in its index answers without a position.
  if (decision.kind === 'repeated') success.setNoPosition(new shared.Empty());
  else {
    const position = new shared.AllStreamPosition();
    position.setCommitPosition(decision.position.toString());
    position.setPreparePosition(decision.position.toString());
    success.setPosition(position);
  }
  return success;
};

const statusOf = ({ refusal }: AppendRefusal, value: Uint8Array = new Uint8Array()): statusMessage.Status => {
  const details = new any.Any();
  details.pack(value, refusal.type);
  const message = new statusMessage.Status();
  message.setCode(refusal.code);
  message.setMessage(refusal.message);
  message.setDetails(details);
  return message;
};

const wrongVersion = (current: bigint, expected: Expected): statusMessage.Status => {
  const details = new shared.WrongExpectedVersion();
  if (current < 0n) details.setCurrentNoStream(new shared.Empty());
  else details.setCurrentStreamRevision(current.toString());
  if (expected === 'any') details.setExpectedAny(new shared.Empty());
  else if (expected === 'no_stream') details.setExpectedNoStream(new shared.Empty());
  else if (expected === 'stream_exists') details.setExpectedStreamExists(new shared.Empty());
  else details.setExpectedStreamPosition(expected.toString());
  const type = 'event_store.client.WrongExpectedVersion';
  return statusOf(
    { refusal: { code: status.ALREADY_EXISTS, message: 'WrongExpectedVersion', type } },
    details.serializeBinary(),
  );
};
