import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { UsersService } from '@eventstore/db-client/generated/users_grpc_pb.js';
import users from '@eventstore/db-client/generated/users_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams, { type ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { type ChannelOptions, Client, type ClientReadableStream, connectivityState, Metadata } from '@grpc/grpc-js';
import { AppendStream } from './append-stream.ts';
import { appendResponse } from './wire/append-message.ts';
import { type ReadResponse, readResponse } from './wire/event-message.ts';
import type { Endpoint, ServerAddress } from './connection-string.ts';

type Call = { cancel(): void; on(event: 'error' | 'end', listener: () => void): unknown };

const { read, batchAppend, tombstone } = StreamsService;
const { details } = UsersService;
/** Appends are written by hand, as answers are read: see `wire`. */
const asIs = (message: Buffer): Buffer => message;

/** A connection to one node, with the calls on it. */
export class Node {
  readonly endpoint: Endpoint;
  readonly appends: AppendStream;
  readonly #address: ServerAddress;
  readonly #streams: Client;
  readonly #calls = new Set<Call>();

  constructor(address: ServerAddress, endpoint: Endpoint) {
    this.endpoint = endpoint;
    this.#address = address;
    this.#streams = new Client(nameOf(endpoint), address.channel, channelOptions(address));
    this.appends = new AppendStream(
      () =>
        this.#tracked(
          this.#streams.makeBidiStreamRequest(batchAppend.path, asIs, appendResponse, this.#metadata(), {
            deadline: Infinity,
          }),
        ),
      () => this.#streams.getChannel().getConnectivityState(false) === connectivityState.READY,
    );
  }

  /** Starts a read or, without a deadline, a subscription. Throws if this node was closed. */
  read(request: ReadReq, deadlineMs: number): ClientReadableStream<ReadResponse> {
    const options = { deadline: Date.now() + deadlineMs };
    return this.#tracked(
      this.#streams.makeServerStreamRequest(
        read.path,
        read.requestSerialize,
        readResponse,
        request,
        this.#metadata(),
        options,
      ),
    );
  }

  /** Deletes a stream for good, if this is its last revision. */
  tombstone(stream: string, revision: bigint, deadlineMs: number): Promise<void> {
    const identifier = new shared.StreamIdentifier();
    identifier.setStreamName(Buffer.from(stream, 'utf8'));
    const options = new streams.TombstoneReq.Options();
    options.setStreamIdentifier(identifier);
    options.setRevision(String(revision));
    const request = new streams.TombstoneReq();
    request.setOptions(options);
    return new Promise((resolve, reject) => {
      this.#streams.makeUnaryRequest(
        tombstone.path,
        tombstone.requestSerialize,
        tombstone.responseDeserialize,
        request,
        this.#metadata(),
        { deadline: Date.now() + deadlineMs },
        (error) => (error === null ? resolve() : reject(error)),
      );
    });
  }

  /** The groups of a user, which only that user and administrators may read. */
  async groupsOf(user: string, deadlineMs: number): Promise<string[]> {
    const options = new users.DetailsReq.Options();
    options.setLoginName(user);
    const request = new users.DetailsReq();
    request.setOptions(options);
    const call = this.#tracked(
      this.#streams.makeServerStreamRequest(
        details.path,
        details.requestSerialize,
        details.responseDeserialize,
        request,
        this.#metadata(),
        { deadline: Date.now() + deadlineMs },
      ),
    );
    const answers = (await call.toArray()) as users.DetailsResp[];
    return answers.flatMap((answer) => answer.getUserDetails()?.getGroupsList() ?? []);
  }

  /** Number of calls that have not ended. */
  get openCalls(): number {
    return this.#calls.size;
  }

  /** Ends all calls: closing a channel alone leaves those on a silent connection open. */
  close(): void {
    for (const call of this.#calls) call.cancel();
    this.#streams.close();
  }

  #tracked<Started extends Call>(call: Started): Started {
    const ended = (): void => void this.#calls.delete(call);
    this.#calls.add(call);
    call.on('error', ended);
    call.on('end', ended);
    return call;
  }

  /** Headers of a call, which only the leader answers: any other node may not have the last events yet. */
  #metadata(): Metadata {
    const metadata = new Metadata();
    metadata.set('connection-name', this.#address.connectionName);
    metadata.set('requires-leader', 'true');
    if (this.#address.authorization !== null) metadata.set('authorization', this.#address.authorization);
    return metadata;
  }
}

export function nameOf({ address, port }: Endpoint): string {
  return `${address.includes(':') ? `[${address}]` : address}:${port}`;
}

export function channelOptions({ keepAliveMs, keepAliveTimeoutMs }: ServerAddress): ChannelOptions {
  return {
    'grpc.keepalive_time_ms': keepAliveMs,
    'grpc.keepalive_timeout_ms': keepAliveTimeoutMs,
    // A new channel is a new connection, also to a node whose last one is silent.
    'grpc.use_local_subchannel_pool': 1,
    // Other programs may have written events of up to 16 MiB.
    'grpc.max_receive_message_length': 17 * 1024 * 1024,
  };
}
