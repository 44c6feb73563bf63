// Bug: clients send requests and do not read, and each of their connections and streams may buffer any amount. Method: bodies that nobody reads,
// and a client that stops reading.
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { createOutflow, sendOutflow } from './outflow.ts';

const kilobytes = (count: number): Buffer => Buffer.alloc(count * 1024, 'x');
const outflowOf = (ownMax: number, allMax: number) => createOutflow({ ownMax: ownMax * 1024, allMax: allMax * 1024 });

describe('unread data', () => {
  it('in one body is limited, and an empty body accepts a longer piece', () => {
    const outflow = outflowOf(300, 10_000);
    const [first, second] = [outflow.open(), outflow.open()];
    first.write(kilobytes(1_000));
    second.write(kilobytes(100));
    second.write(kilobytes(100));
    expect([first.body.destroyed, second.body.destroyed]).toEqual([false, false]);
    first.write('x');
    second.write(kilobytes(201));
    expect([first.body.destroyed, second.body.destroyed]).toEqual([true, true]);
  });

  it('in all bodies is limited, and bodies that were read or closed no longer count', async () => {
    const outflow = outflowOf(300, 1_100);
    const [read, left] = [outflow.open(), outflow.open()];
    const held = [read, left, outflow.open(), outflow.open()];
    for (const body of held) body.write(kilobytes(250));
    const late = outflow.open();
    late.write(kilobytes(101));
    expect([late.body.destroyed, held.map(({ body }) => body.destroyed)]).toEqual([true, held.map(() => false)]);

    read.end();
    expect((await buffer(read.body)).length).toBe(250 * 1024);
    left.body.destroy();
    await once(left.body, 'close');
    const next = outflow.open();
    next.write(kilobytes(250));
    expect([next.body.destroyed, next.isEmpty()]).toEqual([false, false]);
    next.end();
    expect((await buffer(next.body)).length).toBe(250 * 1024);
  });
});

it('a client that reads nothing is disconnected, and one that reads is not', async () => {
  const app = fastify();
  const bodies: { destroyed: boolean }[] = [];
  app.get('/', (_request, reply) => {
    const out = outflowOf(64 * 1024, 64 * 1024).open();
    bodies.push(out.body);
    out.write(kilobytes(32 * 1024));
    out.end();
    return sendOutflow(reply, out.body, 2_000);
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(32 * 1024 * 1024);
  const accepted = once(app.server, 'connection');
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  client.pause();
  const [socket] = (await accepted) as [Socket];
  await once(socket, 'close');
  client.destroy();
  await app.close();
  expect(bodies.map(({ destroyed }) => destroyed)).toEqual([true, true]);
});
