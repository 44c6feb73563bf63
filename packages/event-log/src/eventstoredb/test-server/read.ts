import { once } from 'node:events';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerWritableStream } from '@grpc/grpc-js';
import { type CallFailure, type Faults, failures, serviceError } from './faults.ts';
import type { Rights } from './rights.ts';
import type { Store, StoredEvent } from './store.ts';

type ReadCall = ServerWritableStream<streams.ReadReq, streams.ReadResp>;

export function serveRead(
  store: Store,
  faults: Faults,
  calls: { read: number; subscribe: number },
  subscriptions: Set<ReadCall>,
  /** Why this node answers no reads now. */
  refusal: () => CallFailure | null,
  rightsOf: (call: ReadCall) => Rights,
) {
  return (call: ReadCall): void => {
    call.on('error', () => undefined);
    const fail = (failure: CallFailure): boolean => call.emit('error', serviceError(failure));
    const options = call.request.getOptions();
    if (options === undefined) {
      fail(failures.unknown);
      return;
    }
    const may = rightsOf(call);
    if (typeof may !== 'function') return void fail(may);
    const stream = options.getStream()?.getStreamIdentifier()?.getStreamName_asU8();
    if (!may('read', stream === undefined ? '$all' : Buffer.from(stream).toString('utf8')))
      return void fail(failures.accessDenied);
    const isSubscription = options.hasSubscription();
    calls[isSubscription ? 'subscribe' : 'read'] += 1;
    if (isSubscription && faults.muteSubscriptions) return;
    const fault = isSubscription ? faults.subscribeFailures.shift() : faults.read.shift();
    if (fault === 'mute') return;
    const from = options.getAll()?.getPosition();
    const isInvalid = from !== undefined && !store.isPosition(BigInt(from.getCommitPosition()));
    const failure = fault ?? refusal() ?? (isInvalid ? failures.invalidPosition : null);
    if (failure !== null) fail(failure);
    else if (!isSubscription) void read(store, call, options);
    else if (faults.deadSubscriptions) confirm(call);
    else void subscribe(store, call, options, subscriptions);
  };
}

const read = async (store: Store, call: ReadCall, options: streams.ReadReq.Options): Promise<void> => {
  const stream = options.getStream();
  const backwards = options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS;
  const countMax = Number(options.getCount());
  let events: readonly StoredEvent[];
  // Index of the first event to be read, or of the one behind the last when it goes backwards.
  let from: number;
  if (stream === undefined) {
    events = store.events;
    const position = options.getAll()?.getPosition();
    if (position === undefined) from = backwards ? events.length : 0;
    else from = store.indexFrom(BigInt(position.getCommitPosition()));
  } else {
    const identifier = stream.getStreamIdentifier();
    const name = Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8');
    if (store.isTombstoned(name)) {
      call.emit('error', serviceError(failures.streamDeleted(name)));
      return;
    }
    events = store.stream(name);
    if (events.length === 0) {
      const notFound = new streams.ReadResp.StreamNotFound();
      notFound.setStreamIdentifier(identifier);
      const answer = new streams.ReadResp();
      answer.setStreamNotFound(notFound);
      call.write(answer);
      call.end();
      return;
    }
    if (!stream.hasRevision()) from = backwards ? events.length : 0;
    else from = Math.min(Number(stream.getRevision()) + (backwards ? 1 : 0), events.length);
  }
  await send(
    call,
    backwards ? events.slice(Math.max(0, from - countMax), from).toReversed() : events.slice(from, from + countMax),
  );
  call.end();
};

const subscribe = async (
  store: Store,
  call: ReadCall,
  options: streams.ReadReq.Options,
  subscriptions: Set<ReadCall>,
): Promise<void> => {
  subscriptions.add(call);
  let wake = (): void => undefined;
  const stop = store.onAppended(() => wake());
  const left = (): boolean => call.cancelled || call.destroyed || call.writableEnded;
  for (const event of ['cancelled', 'close', 'finish']) call.on(event, () => wake());
  confirm(call);

  const from = options.getAll()?.getPosition();
  const wanted = new RegExp(options.getFilter()?.getEventType()?.getRegex() || '.*');
  const after = from === undefined ? -1n : BigInt(from.getCommitPosition());
  let next = store.events.findIndex((event) => event.position > after);
  if (next < 0) next = store.events.length;
  while (!left()) {
    const found = store.events.slice(next);
    next += found.length;
    await send(
      call,
      found.filter((event) => wanted.test(event.metadata.get('type') ?? '')),
    );
    if (left()) break;
    if (next === store.events.length) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  stop();
  subscriptions.delete(call);
};

const confirm = (call: ReadCall): void => {
  const confirmation = new streams.ReadResp.SubscriptionConfirmation();
  confirmation.setSubscriptionId('1');
  const answer = new streams.ReadResp();
  answer.setConfirmation(confirmation);
  call.write(answer);
};

const send = async (call: ReadCall, events: readonly StoredEvent[]): Promise<void> => {
  for (const event of events) {
    if (call.cancelled || call.destroyed || call.writableEnded) return;
    if (call.write(eventResponse(event))) continue;
    const closed = new AbortController();
    const leave = (): void => closed.abort();
    call.once('cancelled', leave).once('close', leave);
    await once(call, 'drain', { signal: closed.signal }).catch(() => undefined);
    call.off('cancelled', leave).off('close', leave);
  }
};

const eventResponse = (event: StoredEvent): streams.ReadResp => {
  const id = new shared.UUID();
  id.setString(event.id);
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Uint8Array.from(Buffer.from(event.stream, 'utf8')));
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent();
  recorded.setId(id);
  recorded.setStreamIdentifier(identifier);
  recorded.setStreamRevision(event.revision.toString());
  recorded.setCommitPosition(event.position.toString());
  recorded.setPreparePosition(event.position.toString());
  for (const [name, value] of event.metadata) recorded.getMetadataMap().set(name, value);
  // Ticks of .NET: 100 nanoseconds; the client reads them as time since 1970.
  recorded.getMetadataMap().set('created', (BigInt(event.createdMs) * 10_000n).toString());
  recorded.setCustomMetadata(event.customMetadata);
  recorded.setData(event.data);
  const readEvent = new streams.ReadResp.ReadEvent();
  readEvent.setEvent(recorded);
  readEvent.setCommitPosition(event.position.toString());
  const answer = new streams.ReadResp();
  answer.setEvent(readEvent);
  return answer;
};
