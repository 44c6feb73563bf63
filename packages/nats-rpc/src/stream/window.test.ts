import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CreditGate, creditCost } from './credit.ts';
import { ReceiveQueue } from './receive-queue.ts';

const idleTimeoutMs = 60_000;

const connected = (windowBytes: number): { gate: CreditGate; queue: ReceiveQueue } => {
  const gate = new CreditGate(idleTimeoutMs, () => {});
  gate.open(windowBytes);
  const queue = new ReceiveQueue({
    windowBytes,
    idleTimeoutMs,
    onCredit: (bytes) => expect(gate.add(bytes)).toBe(true),
    onIdle: () => {},
    onLeft: () => {},
  });
  return { gate, queue };
};

// Both sides must count alike: lost credit ends in a deadlock after hours, extra credit in exhausted memory. Any mix of chunk sizes is sent through
// a pair; all data must arrive in order, with never more than the window unread.
test('all data arrives, and never more than the window is unread', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1_024, max: 8_192 }),
      fc.array(fc.integer({ min: 0, max: 10_000 }), { maxLength: 60 }),
      async (windowBytes, sizes) => {
        const { gate, queue } = connected(windowBytes);
        let unread = 0;
        const sender = async (): Promise<void> => {
          for (const size of sizes) {
            const chunk = Buffer.alloc(Math.min(size, gate.frameBytesMax), size);
            await gate.take(chunk.length);
            unread += creditCost(chunk.length);
            expect(unread).toBeLessThanOrEqual(windowBytes);
            expect(queue.push(chunk)).toBe(true);
          }
          queue.end();
        };
        const read: number[] = [];
        const reader = async (): Promise<void> => {
          for await (const chunk of queue) {
            unread -= creditCost(chunk.length);
            read.push(chunk.length);
            if (read.length % 3 === 0) await new Promise(setImmediate);
          }
        };
        await Promise.all([sender(), reader()]);
        expect(read).toEqual(sizes.map((size) => Math.min(size, gate.frameBytesMax)));
      },
    ),
    { numRuns: 50 },
  );
});

test('data beyond the credit is refused, even as empty frames', () => {
  const { queue } = connected(1_024);
  let accepted = 0;
  while (queue.push(new Uint8Array(0))) accepted += 1;
  expect(accepted).toBe(Math.floor(1_024 / creditCost(0)));
});

test('credit beyond the window is refused', () => {
  const { gate } = connected(1_024);
  expect(gate.add(1)).toBe(false);
});

test("data after the reader's disconnect is dropped", async () => {
  const { gate, queue } = connected(2_048);
  await gate.take(100);
  queue.push(Buffer.alloc(100));
  for await (const chunk of queue) {
    expect(chunk.length).toBe(100);
    break;
  }
  for (let sent = 0; sent < 100; sent += 1) {
    await gate.take(500);
    expect(queue.push(Buffer.alloc(500))).toBe(true);
  }
  expect(queue.bufferedBytes).toBe(0);
});

test('a failed gate rejects the waiting writer and all later ones', async () => {
  const { gate } = connected(1_024);
  await gate.take(800);
  const waiting = gate.take(800);
  gate.fail(() => new Error('over'));
  await expect(waiting).rejects.toThrow('over');
  await expect(gate.take(1)).rejects.toThrow('over');
});
