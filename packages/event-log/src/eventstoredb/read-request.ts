import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';

/** A position in the log or a revision of a stream, or one of the ends. */
export type From = bigint | 'start' | 'end';

type ReadRequest = { direction: 'forwards' | 'backwards'; from: From; countMax: number };

const empty = new shared.Empty();
const { FORWARDS, BACKWARDS } = streams.ReadReq.Options.ReadDirection;

export function streamRequest(stream: string, { direction, from, countMax }: ReadRequest): streams.ReadReq {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream, 'utf8'));
  const place = new streams.ReadReq.Options.StreamOptions();
  place.setStreamIdentifier(identifier);
  if (from === 'start') place.setStart(empty);
  else if (from === 'end') place.setEnd(empty);
  else place.setRevision(String(from));
  const options = optionsOf(direction);
  options.setStream(place);
  options.setCount(String(countMax));
  options.setNoFilter(empty);
  return requestOf(options);
}

export function logRequest({ direction, from, countMax }: ReadRequest): streams.ReadReq {
  const options = optionsOf(direction);
  options.setAll(placeOf(from));
  options.setCount(String(countMax));
  options.setNoFilter(empty);
  return requestOf(options);
}

/** Events after `from`, and all that follow; without the server's own, whose types begin with $. */
export function subscriptionRequest(from: From): streams.ReadReq {
  const types = new streams.ReadReq.Options.FilterOptions.Expression();
  types.setRegex('^[^$].*');
  const filter = new streams.ReadReq.Options.FilterOptions();
  filter.setEventType(types);
  filter.setCount(empty);
  filter.setCheckpointintervalmultiplier(1);
  const options = optionsOf('forwards');
  options.setAll(placeOf(from));
  options.setSubscription(new streams.ReadReq.Options.SubscriptionOptions());
  options.setFilter(filter);
  return requestOf(options);
}

const optionsOf = (direction: ReadRequest['direction']): streams.ReadReq.Options => {
  const options = new streams.ReadReq.Options();
  const ids = new streams.ReadReq.Options.UUIDOption();
  ids.setString(empty);
  options.setUuidOption(ids);
  options.setReadDirection(direction === 'forwards' ? FORWARDS : BACKWARDS);
  return options;
};

const placeOf = (from: From): streams.ReadReq.Options.AllOptions => {
  const place = new streams.ReadReq.Options.AllOptions();
  if (from === 'start') place.setStart(empty);
  else if (from === 'end') place.setEnd(empty);
  else {
    const position = new streams.ReadReq.Options.Position();
    position.setCommitPosition(String(from));
    position.setPreparePosition(String(from));
    place.setPosition(position);
  }
  return place;
};

const requestOf = (options: streams.ReadReq.Options): streams.ReadReq => {
  const request = new streams.ReadReq();
  request.setOptions(options);
  return request;
};
