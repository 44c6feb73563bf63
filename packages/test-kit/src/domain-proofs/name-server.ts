import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** What is said of a name: its records, or a misbehaviour. */
export type NameAnswer =
  | { texts?: readonly string[]; addresses?: readonly string[] }
  | 'no_such_name'
  | 'server_failure'
  | 'silence'
  | 'garbage';

export type NameServer = {
  /** With its port, for a setting. */
  readonly address: string;
  /** By name in lower case; `no_such_name` for others. */
  readonly names: Map<string, NameAnswer>;
  /** The names that were asked for, in order. */
  readonly asked: string[];
  stop(): Promise<void>;
};

const types = { A: 1, TXT: 16 } as const;
const codes = { fine: 0, server_failure: 2, no_such_name: 3 } as const;
/** Longer answers have to be asked for over TCP. */
const datagramBytesMax = 1_200;

/** A name server (RFC 1035) on loopback, over UDP and TCP, that answers A and TXT questions. */
export async function startNameServer(): Promise<NameServer> {
  const names = new Map<string, NameAnswer>();
  const asked: string[] = [];
  const reply = (query: Buffer): Buffer | null => {
    const question = readQuestion(query);
    asked.push(question.name);
    const answer = names.get(question.name) ?? 'no_such_name';
    if (answer === 'silence') return null;
    if (answer === 'garbage')
      return Buffer.concat([query.subarray(0, 2), Buffer.from('8180ffffffffffffffffc0ffc0', 'hex')]);
    if (typeof answer === 'string') return message(query, question, { code: codes[answer], records: [] });
    return message(query, question, { code: codes.fine, records: recordsOf(question.type, answer) });
  };

  const tcp = createServer((socket) => serveStream(socket, reply));
  tcp.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket('udp4');
  udp.on('message', (query, { port: from, address }) => {
    const whole = reply(query);
    if (whole !== null) udp.send(whole.length <= datagramBytesMax ? whole : truncated(query, whole), from, address);
  });
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');
  return {
    address: `127.0.0.1:${port}`,
    names,
    asked,
    stop: async () => {
      udp.close();
      tcp.close();
    },
  };
}

type Question = { name: string; type: number; end: number };

const readQuestion = (query: Buffer): Question => {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
};

const recordsOf = (type: number, { texts = [], addresses = [] }: Exclude<NameAnswer, string>): Buffer[] => {
  if (type === types.TXT) return texts.map((text) => record(type, chunked(Buffer.from(text, 'utf8'))));
  if (type === types.A) return addresses.map((address) => record(type, Buffer.from(address.split('.').map(Number))));
  return [];
};

/** Texts of a record have at most 255 bytes each. */
const chunked = (text: Buffer): Buffer => {
  const chunks: Buffer[] = [];
  for (let at = 0; at === 0 || at < text.length; at += 255) {
    const chunk = text.subarray(at, at + 255);
    chunks.push(Buffer.from([chunk.length]), chunk);
  }
  return Buffer.concat(chunks);
};

/** Its name is that of the question, by reference. */
const record = (type: number, data: Buffer): Buffer => {
  const head = Buffer.from('c00c00000001000000000000', 'hex').subarray(0, 12);
  const whole = Buffer.concat([head, data]);
  whole.writeUInt16BE(type, 2);
  whole.writeUInt16BE(data.length, 10);
  return whole;
};

const message = (query: Buffer, { end }: Question, { code, records }: { code: number; records: Buffer[] }): Buffer => {
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  return Buffer.concat([head, query.subarray(12, end), ...records]);
};

const truncated = (query: Buffer, whole: Buffer): Buffer => {
  const cut = Buffer.from(whole.subarray(0, readQuestion(query).end));
  cut.writeUInt16BE(cut.readUInt16BE(2) | 0x0200, 2);
  cut.writeUInt16BE(0, 6);
  return cut;
};

/** Each message follows its length. */
const serveStream = (socket: Socket, reply: (query: Buffer) => Buffer | null): void => {
  let received = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
      const length = received.readUInt16BE(0);
      const whole = reply(received.subarray(2, 2 + length));
      received = received.subarray(2 + length);
      if (whole === null) continue;
      const size = Buffer.alloc(2);
      size.writeUInt16BE(whole.length);
      socket.write(Buffer.concat([size, whole]));
    }
  });
};
