import { Connection } from '../connection.ts';
import { readConnectionString } from '../connection-string.ts';
import { type Reader, readerOf } from '../read.ts';

// Reads of each kind, many times, in a process of its own, whose heap nobody else uses: `node --expose-gc reads-of-each-kind.ts URL COUNT`.
// Prints, for each kind, the calls that stayed open and by how many bytes a read the heap has grown.

export type ReadsOfAKind = { openCalls: number; bytesARead: number };

const [url = '', count = '0'] = process.argv.slice(2);
const readsOfEachKind = Number(count);
const concurrent = 32;
const warmUp = 300;

const connection = new Connection(readConnectionString(url, 'reads'), new AbortController().signal);
const reader = readerOf(connection, 30_000);
const positions = (await reader.readAll(null, 100)).map(({ position }) => position);
const [first = 0n, second = 0n] = positions;

const kinds: Record<string, (of: Reader) => Promise<unknown>> = {
  'a whole stream': (of) => of.readStream('short', {}),
  'the beginning of a stream': (of) => of.readStream('long', { countMax: 3 }),
  'the end of a stream': (of) => of.readStream('long', { countMax: 2, direction: 'backwards' }),
  'a stream that does not exist': (of) => of.readStream('none', { countMax: 2 }),
  'a page of the log': (of) => of.readAll(first, 5),
  'one event by its position': (of) => of.readAt([second]),
  'the head of the log': (of) => of.headPosition(),
  'the position of a revision': (of) => of.positionOf('long', 33n),
  'a position that no event has': (of) => of.readAll(first + 1n, 5).catch(() => null),
};

const heapBytes = (): number => {
  (globalThis as unknown as { gc: () => void }).gc();
  return process.memoryUsage().heapUsed;
};
const read = async (kind: (of: Reader) => Promise<unknown>, times: number): Promise<void> => {
  for (let done = 0; done < times; done += concurrent) {
    await Promise.all(Array.from({ length: concurrent }, () => kind(reader)));
  }
};

const found: Record<string, ReadsOfAKind> = {};
for (const [name, kind] of Object.entries(kinds)) {
  await read(kind, warmUp);
  const before = heapBytes();
  await read(kind, readsOfEachKind);
  const { openCalls } = await connection.node(1_000);
  found[name] = { openCalls, bytesARead: Math.round((heapBytes() - before) / readsOfEachKind) };
}
connection.close();
process.stdout.write(JSON.stringify(found));
