import { createHash, randomUUID } from 'node:crypto';
import type { RecordedEvent } from '@agent-trust/event-log';
import { BatchWriter, createSchema, openWriterSession, readCheckpoint } from '@agent-trust/projections';
import { createTestDatabase, type TestDatabase } from '@agent-trust/test-kit';
import {
  canonicalBytes,
  consistencyProof,
  frontierRoot,
  inclusionProof,
  leafHash,
  logEntryOf,
  toHex,
  treeRoot,
  verifyConsistency,
  verifyInclusion,
} from '@agent-trust/transparency-log';
import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openReadModelDatabase, type ReadModelDatabase } from '../../shared/database.ts';
import { logRecordReadModel, logRecordSchema } from '../start-log-record.ts';
import { merkleTreeIn } from './queries.ts';

/*
 * Bug: a tree that grows batch by batch, across restarts without the memory of the process, differs from the tree over all events: its proofs
 * would convince nobody, and a rebuilt record would contradict signed checkpoints.
 * Method: the recursive definition of RFC 6962 §2.1, implemented here separately, compared with the projection's tables, at random sizes after
 * random batches, past the edges of tiles of two levels.
 */
const sha256 = (...parts: Uint8Array[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const definition = (leaves: readonly Uint8Array[]): Buffer => {
  const [only] = leaves;
  if (only === undefined) return sha256();
  if (leaves.length === 1) return sha256(Buffer.of(0), only);
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return sha256(Buffer.of(1), definition(leaves.slice(0, k)), definition(leaves.slice(k)));
};

const eventAt = (index: number): RecordedEvent => ({
  eventId: randomUUID(),
  type: index % 7 === 0 ? 'RainFell' : 'SunShone',
  data: { index, text: `Zürich ✓ ${index}`, nested: { b: [1, 0.5], a: null } },
  metadata: { actor: { kind: 'agent', id: `a${index % 3}` } },
  stream: `weather-${index % 5}`,
  revision: BigInt(Math.floor(index / 5)),
  // Positions have gaps, as after aborted appends.
  position: BigInt(index * 3 + 1),
  recordedAt: new Date(1_767_225_600_000 + index),
});

const eventCount = 1_300;
const events = Array.from({ length: eventCount }, (_, index) => eventAt(index));
const leaves = events.map((event) => canonicalBytes(logEntryOf(event)));

let test: TestDatabase;
let client: pg.Client;
let database: ReadModelDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
  client = await openWriterSession({ connectionString: test.url }, logRecordSchema);
  database = openReadModelDatabase(test.url, undefined, {
    poolName: 'log_record',
    schema: logRecordSchema,
    connectionsMax: 4,
  });
});
afterAll(async () => {
  await database.close();
  await client.end();
  await test.drop();
});

const build = async (batches: readonly number[], onBatch?: (size: number) => Promise<void>): Promise<void> => {
  const readModel = await logRecordReadModel();
  await client.query(`DROP SCHEMA IF EXISTS ${logRecordSchema} CASCADE`);
  await createSchema(client, logRecordSchema, readModel.schema);
  let done = 0;
  for (let turn = 0; done < events.length; turn += 1) {
    // A new writer has no memory of the last one, as after a crash or in a standby.
    const writer = new BatchWriter({
      client,
      schema: logRecordSchema,
      readModel,
      rowsPerTableMax: 1_000,
      checkpoint: await readCheckpoint(client, logRecordSchema),
    });
    const count = batches[turn % batches.length] ?? 1;
    await writer.write(events.slice(done, done + count));
    done += count;
    await onBatch?.(Math.min(done, events.length));
  }
};

it('always equals the tree that RFC 6962 defines, whatever the batches were', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 8 }), async (batches) => {
      const asItGrew = batches.some((count) => count > 40) ? batches : [...batches, 200];
      await build(asItGrew, async (size) => {
        const { frontier, position } = await merkleTreeIn(database).head();
        expect([frontier.size, position]).toEqual([size, events[size - 1]?.position]);
        expect(toHex(frontierRoot(frontier))).toBe(definition(leaves.slice(0, size)).toString('hex'));
      });
    }),
    { numRuns: 6 },
  );
});

it('proves every leaf in every later tree, and the consistency of every tree with every later one', async () => {
  await build([97]);
  const sizes = [1, 2, 255, 256, 257, 511, 512, 600, 1_024, eventCount];
  const roots = new Map(sizes.map((size) => [size, definition(leaves.slice(0, size))]));
  for (const size of sizes) {
    const root = roots.get(size) ?? Buffer.of();
    const read = merkleTreeIn(database).hashes(size);
    expect(toHex(await treeRoot(size, read))).toBe(root.toString('hex'));
    for (const index of new Set([0, 1, 254, 255, 256, size - 1].filter((at) => at < size))) {
      const event = events[index];
      if (event === undefined) throw new Error('no such event');
      const found = await merkleTreeIn(database).leaf({ eventId: event.eventId });
      expect(found).toEqual({ leafIndex: index, position: event.position, hash: leafHash(logEntryOf(event)) });
      const proof = await inclusionProof(index, size, read);
      expect(verifyInclusion({ index, size, leafHash: leafHash(logEntryOf(event)), root, proof })).toBe(true);
    }
    for (const earlier of sizes.filter((at) => at <= size)) {
      const proof = await consistencyProof(earlier, size, read);
      const fromRoot = roots.get(earlier) ?? Buffer.of();
      expect(verifyConsistency({ from: earlier, to: size, fromRoot, toRoot: root, proof })).toBe(true);
    }
  }
});

it('has the tiles of C2SP tlog-tiles, in which each hash of a level is the root of a full tile below', async () => {
  const first = await merkleTreeIn(database).tile({ level: 0, index: 0, width: 256 });
  expect(toHex(first)).toBe(
    leaves
      .slice(0, 256)
      .map((leaf) => sha256(Buffer.of(0), leaf).toString('hex'))
      .join(''),
  );
  const above = await merkleTreeIn(database).tile({ level: 1, index: 0, width: 5 });
  const roots = [0, 1, 2, 3, 4].map((index) =>
    definition(leaves.slice(index * 256, (index + 1) * 256)).toString('hex'),
  );
  expect(toHex(above)).toBe(roots.join(''));
  expect((await merkleTreeIn(database).tile({ level: 0, index: 5, width: 20 })).length).toBe(20 * 32);
  expect((await merkleTreeIn(database).tile({ level: 2, index: 0, width: 1 })).length).toBe(0);
});
