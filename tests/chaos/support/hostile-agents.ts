import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { runs } from '@agent-trust/test-kit/runs';
import { untilRead } from './unread-bytes.ts';

/** How an exchange ends: `completed`, or the reason for its failure. */
export type End = 'completed' | 'timeout' | 'too_large' | 'protocol_error' | 'unreachable' | 'cancelled';

export type Hostility = {
  name: string;
  /** Runs when the first bytes of a request have arrived. */
  answer: (socket: Socket) => void;
  /** The possible ends of a call: more than one if the machine's speed decides which limit applies first. */
  unary: readonly End[];
  stream: readonly End[];
  /** Registration fields besides the endpoint. */
  fields?: Record<string, unknown>;
};

const mebibyte = 1024 * 1024;
const dripMs = 1_000;
const ok = (headers: string): string => `HTTP/1.1 200 OK\r\n${headers}\r\n\r\n`;
const text = 'content-type: text/plain';
const json = 'content-type: application/json';
const events = 'content-type: text/event-stream';
const chunked = 'transfer-encoding: chunked';

/** Sends a prefix and then the same bytes until the other side disconnects. */
const flood = (begin: string, more: string | Buffer): Hostility['answer'] => {
  const piece = Buffer.from(more);
  const pieces = Buffer.concat(Array.from({ length: Math.max(1, Math.floor(65_536 / piece.length)) }, () => piece));
  return (socket) => {
    socket.write(begin);
    const send = (): void => {
      while (!socket.destroyed && socket.write(pieces));
      if (!socket.destroyed) socket.once('drain', send);
    };
    send();
  };
};

/** Sends a prefix and then one byte per second. */
const drip =
  (begin: string, byte = '.'): Hostility['answer'] =>
  (socket) => {
    socket.write(begin);
    const timer = setInterval(() => socket.write(byte), dripMs);
    socket.once('close', () => clearInterval(timer));
  };

const say =
  (...pieces: (string | Buffer)[]): Hostility['answer'] =>
  (socket) =>
    void socket.end(Buffer.concat(pieces.map((piece) => Buffer.from(piece))));

/** Sends a prefix and resets the connection once the other side has read it: a reset takes away what was not read yet. */
const reset =
  (begin: string): Hostility['answer'] =>
  (socket) =>
    void socket.write(begin, () => {
      void untilRead(socket).finally(() => socket.resetAndDestroy());
    });

const chunkOf = (content: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${content.length.toString(16)}\r\n`), content, Buffer.from('\r\n')]);
const sized = (head: string, body: string | Buffer): Hostility['answer'] =>
  say(ok(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}`), body);

/** A gibibyte of zeros, compressed to a mebibyte. */
const bomb = gzipSync(Buffer.alloc(1024 * mebibyte), { level: 1 });

const both = (name: string, ends: End | readonly End[], answer: Hostility['answer']): Hostility => {
  const allowed = [ends].flat();
  return { name, answer, unary: allowed, stream: allowed };
};

/** On an idle machine 10 MiB arrive within the agent's time limit; a slow machine reaches the time limit first. */
const tooMuchOrTooLate: readonly End[] = ['too_large', 'timeout'];
const wholeOrTooLate: readonly End[] = ['completed', 'timeout'];

/**
 * The ways in which an agent may mistreat its caller, and how the exchange must end.
 *
 * @param canary the target of a redirect that no one may follow.
 */
export function hostilities(canary: string): Hostility[] {
  return [
    both(
      '1 GB that is announced',
      tooMuchOrTooLate,
      flood(ok(`${text}\r\ncontent-length: 1000000000`), 'x'.repeat(65_536)),
    ),
    both('text without end', tooMuchOrTooLate, flood(ok(`${text}\r\n${chunked}`), chunkOf(Buffer.alloc(65_536, 'x')))),
    both('text without length or end', tooMuchOrTooLate, flood(ok(text), 'x'.repeat(65_536))),
    both('chunks of one byte without end', tooMuchOrTooLate, flood(ok(`${text}\r\n${chunked}`), '1\r\nx\r\n')),
    both(
      'a chunk of 2^63 bytes',
      tooMuchOrTooLate,
      flood(`${ok(`${text}\r\n${chunked}`)}7fffffffffffffff\r\n`, 'x'.repeat(65_536)),
    ),
    both(
      'a byte more of events than may be streamed, announced',
      'too_large',
      flood(ok(`${events}\r\ncontent-length: ${1024 * mebibyte + 1}`), 'data: x\n\n'),
    ),
    both('nothing', 'timeout', () => undefined),
    both('a byte a second', 'timeout', drip(ok(`${text}\r\ncontent-length: 1000`))),
    both('a byte of the head a second', 'timeout', drip('HTTP/1.1 200 OK\r\nx: ')),
    both('early hints without end', 'timeout', drip('', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')),
    both('early hints as fast as it can', 'timeout', flood('', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')),
    both('a reason without end', 'timeout', flood('HTTP/1.1 200 ', 'o')),
    both('headers without end', 'too_large', flood('HTTP/1.1 200 OK\r\n', 'x: y\r\n')),
    both('a huge header', 'too_large', say(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(mebibyte)}\r\n\r\n`)),
    both('trailers without end', 'too_large', flood(`${ok(`${text}\r\n${chunked}`)}1\r\nx\r\n0\r\n`, 'x: y\r\n')),
    both('an extension of a chunk without end', 'timeout', flood(`${ok(`${text}\r\n${chunked}`)}5;`, 'x')),
    both('another protocol', 'protocol_error', say('SSH-2.0-OpenSSH_9\r\n')),
    both('101', 'protocol_error', say('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n')),
    both('a length that is too long', 'protocol_error', say(ok(`${text}\r\ncontent-length: 9`), 'abc')),
    both('a length that is too short', 'completed', say(ok(`${text}\r\ncontent-length: 3`), 'abcdefghi')),
    both('two lengths', 'protocol_error', say(ok(`${text}\r\ncontent-length: 1\r\ncontent-length: 2`), 'ab')),
    both('a length and chunks', 'protocol_error', say(ok(`${text}\r\n${chunked}\r\ncontent-length: 1`), '0\r\n\r\n')),
    both('a reset before the head', 'unreachable', reset('')),
    both('a reset in the middle of the head', 'unreachable', reset('HTTP/1.1 200 OK\r\ncontent-ty')),
    both('a reset in the middle of the body', 'protocol_error', reset(`${ok(`${json}\r\ncontent-length: 100`)}{"a":`)),
    both(
      'a reset in the middle of events',
      'protocol_error',
      reset(`${ok(`${events}\r\n${chunked}`)}9\r\ndata: x\n\n\r\n`),
    ),
    both('JSON that is none', 'completed', sized(json, '{"a":')),
    both('10 MiB of brackets', wholeOrTooLate, sized(json, '['.repeat(10 * mebibyte))),
    both('10 MiB of empty arrays', wholeOrTooLate, sized(json, `[${'[],'.repeat(3 * mebibyte)}0]`)),
    both('10 MiB of line breaks', wholeOrTooLate, sized(text, '\n'.repeat(10 * mebibyte))),
    {
      ...both('a bomb of 1 GiB', 'completed', sized(`${json}\r\ncontent-encoding: gzip`, bomb)),
      stream: ['protocol_error'],
    },
    ...[
      ['brackets', '['.repeat(10 * mebibyte)],
      ['empty arrays', `{"accepts":[${'[],'.repeat(3 * mebibyte)}0]}`],
      ['ways to pay', `{"x402Version":1,"accepts":[${`{"resource":"${canary}"},`.repeat(200_000)}{}]}`],
    ].map(([what, demand = '']) =>
      both(`10 MiB of ${what} for a demand`, wholeOrTooLate, say(`HTTP/1.1 402 \r\n${json}\r\n\r\n`, demand)),
    ),
    {
      ...both('10 MiB of events of nothing', wholeOrTooLate, sized(events, 'data:\n\n'.repeat((10 * mebibyte) / 7))),
      fields: { message_protocol: 'mcp' },
    },
    {
      ...both(
        '10 MiB in one event',
        wholeOrTooLate,
        sized(events, `data: {"result":[${'[],'.repeat(3 * mebibyte)}0]}\n\n`),
      ),
      fields: { message_protocol: 'mcp' },
    },
    {
      ...both('the wish for another form for ever', 'completed', sized(json, '{"id":1,"error":{"code":-32601}}')),
      fields: { a2a_compliant: true },
    },
    both('as many headers as there may be', 'completed', say(ok(`${'a:\r\n'.repeat(6_000)}content-length: 0`))),
    both(
      'a redirect to a private address',
      'completed',
      say(`HTTP/1.1 307 \r\nlocation: ${canary}\r\ncontent-length: 0\r\n\r\n`),
    ),
    both(
      'unsolicited bytes',
      'completed',
      say(ok(`${json}\r\ncontent-length: 2`), '{}', ok(text), 'HTTP/1.1 200 OK\r\n'),
    ),
  ];
}

/** Agents that send nothing, or one byte per second. */
export const patient: ReadonlySet<string> = new Set([
  'nothing',
  'a byte a second',
  'a byte of the head a second',
  'early hints without end',
]);

/** Agents that send for as long as they may, without filling any process's memory. */
export const tireless: ReadonlySet<string> = new Set([
  'chunks of one byte without end',
  'early hints as fast as it can',
  'a reason without end',
  'an extension of a chunk without end',
]);

export type HostileAgent = { url: string; stop: () => void };

/** An agent on loopback that answers every request in the same way. */
export async function startHostileAgent(answer: Hostility['answer']): Promise<HostileAgent> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    socket.once('data', () => {
      socket.resume();
      answer(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** What is read of an endless answer: far more than any process may hold; in the long form all that may be streamed, until it is cut. */
export const endlessBytesRead = runs(256 * mebibyte, Infinity);
/** Endless events, as fast as the other side reads. */
export const endlessEvents: Hostility['answer'] = flood(
  ok(`${events}\r\n${chunked}`),
  chunkOf(Buffer.from(`data: ${'x'.repeat(64 * 1024 - 8)}\n\n`)),
);
/** An event that arrives at one byte per second. */
export const slowEvents: Hostility['answer'] = drip(`${ok(events)}data: `);
