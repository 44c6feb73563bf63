import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cosign, noteSigner, parseNote, signatureTypes, type NoteSigner } from '@agent-trust/transparency-log';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { logger, origin, seed, startWorld, type World } from '../testing/signed-log-world.ts';
import { witnessLimits } from './limits.ts';
import { logIdentity } from './log-identity.ts';
import { type WatchedWitnesses, watchWitnesses } from './watch-witnesses.ts';

/*
 * Bug: a log that was rewritten or cut counts as witnessed, a forged cosignature does, or what was witnessed is forgotten while a witness does not answer.
 * Method: a running log record with its signatures, and a witness's address that serves what the test says.
 */
let world: World;
let server: Server;
let witness: NoteSigner;
let url: string;
let published: { status: number; body: string };
const cosignedAt = 1_768_471_200;
const nowMs = (cosignedAt + 3_600) * 1_000;

beforeEach(async () => {
  world = await startWorld();
  witness = await noteSigner('witness.test/w1', new Uint8Array(32).fill(9), signatureTypes.cosignatureV1);
  published = { status: 404, body: '' };
  server = createServer((_, response) =>
    response.writeHead(published.status, { location: '/elsewhere' }).end(published.body),
  ).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/cosigned`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await world.close();
});

/** Watches as an instance with these witnesses does. */
const watching = async (): Promise<WatchedWitnesses> => {
  const store = await world.openStore();
  await store.recordKeys((await logIdentity(origin, seed)).verifierKeys);
  const watched = watchWitnesses({
    witnesses: [{ key: witness.key, url }],
    store,
    tree: world.tree,
    logger,
    now: () => nowMs,
  });
  onTestFinished(() => watched.stop());
  return watched;
};

const publish = async (note: string, { signer = witness, at = cosignedAt } = {}): Promise<void> => {
  published = { status: 200, body: `${note.trimEnd()}\n${await cosign(parseNote(note).text, signer, at)}` };
};

const viewAfterLook = async (watched: WatchedWitnesses) => {
  await watched.look();
  return watched.shown()[0];
};

describe('what a witness publishes', () => {
  it('is shown if it is a beginning of the log, and is kept while the witness does not answer', async () => {
    await world.grow(3);
    const checkpoints = await world.instance();
    const watched = await watching();
    const first = {
      name: 'witness.test/w1',
      size: 3,
      cosignedAt: '2026-01-15T10:00:00.000Z',
      contradictsLog: false,
      fault: null,
    };
    await publish((await checkpoints.current()).note);
    expect(await viewAfterLook(watched)).toEqual(first);
    await world.grow(4);
    expect(await viewAfterLook(watched)).toEqual(first);
    published = { status: 503, body: '' };
    expect(await viewAfterLook(watched)).toEqual({ ...first, fault: 'cannot be read: its address answered 503' });
    published = { status: 200, body: 'x'.repeat(witnessLimits.noteBytesMax + 1) };
    expect(await viewAfterLook(watched)).toEqual({
      ...first,
      fault: `cannot be read: its address answered more than ${witnessLimits.noteBytesMax} bytes`,
    });
    await publish((await checkpoints.current()).note);
    // The same time again: nothing is newer.
    expect(await viewAfterLook(watched)).toEqual(first);
    await publish((await checkpoints.current()).note, { at: cosignedAt + 60 });
    const second = { ...first, size: 7, cosignedAt: '2026-01-15T10:01:00.000Z' };
    expect(await viewAfterLook(watched)).toEqual(second);
    await publish((await checkpoints.current()).note, { at: cosignedAt - 60 });
    expect(await viewAfterLook(watched)).toEqual(second);
  });

  it('counts by its latest cosignature, and not with one of a time to come', async () => {
    await world.grow(2);
    const { note } = await (await world.instance()).current();
    const watched = await watching();
    await publish(note);
    published.body += await cosign(parseNote(note).text, witness, cosignedAt + 60);
    expect(await viewAfterLook(watched)).toMatchObject({ cosignedAt: '2026-01-15T10:01:00.000Z', fault: null });
    await publish(note, { at: nowMs / 1_000 + witnessLimits.clockAheadMs / 1_000 + 1 });
    expect(await viewAfterLook(watched)).toMatchObject({
      cosignedAt: '2026-01-15T10:01:00.000Z',
      fault: expect.stringContaining('its clock is wrong') as string,
    });
  });

  it('cannot be told while the record of the log is computed anew, unless it is what was signed last', async () => {
    await world.grow(3);
    const checkpoints = await world.instance();
    const earlier = (await checkpoints.current()).note;
    await world.grow(2);
    const { note } = await checkpoints.current();
    const watched = await watching();
    await world.owner.query('DELETE FROM log_record.merkle_tree');
    await publish(earlier);
    expect(await viewAfterLook(watched)).toMatchObject({ size: null, fault: null });
    await publish(note);
    expect(await viewAfterLook(watched)).toMatchObject({ size: 5, fault: null });
  });

  it('is not followed to another address, and a note of any length is a short fault', async () => {
    const watched = await watching();
    published = { status: 302, body: '' };
    expect((await viewAfterLook(watched))?.fault).toContain('leads to another one');
    published = { status: 200, body: `x\n\n\u2014 ${'y'.repeat(10_000)} AAAAAAAA\n` };
    const fault = (await viewAfterLook(watched))?.fault ?? '';
    expect(fault).toContain('publishes a note that does not hold');
    expect(fault.length).toBeLessThan(witnessLimits.faultCharactersMax + 2);
  });

  it('is read by itself, until it is stopped', async () => {
    await world.grow(2);
    await publish((await (await world.instance()).current()).note);
    const watched = await watching();
    watched.start();
    await expect.poll(() => watched.shown()[0]?.size).toBe(2);
    await watched.stop();
  });

  it('does not count without its own cosignature, or with one that is forged', async () => {
    await world.grow(2);
    const { note } = await (await world.instance()).current();
    const watched = await watching();
    published = { status: 200, body: note };
    const none = { name: 'witness.test/w1', size: null, cosignedAt: null, contradictsLog: false };
    expect(await viewAfterLook(watched)).toEqual({
      ...none,
      fault: 'publishes a checkpoint without its own cosignature',
    });
    // The witness's name and key id, with a signature by another key.
    const other = await noteSigner('witness.test/w1', new Uint8Array(32).fill(8), signatureTypes.cosignatureV1);
    await publish(note, { signer: { ...other, key: witness.key } });
    expect(await viewAfterLook(watched)).toMatchObject({
      ...none,
      fault: expect.stringContaining('does not fit') as string,
    });
    // Signed by the witness, but not by this log.
    const forged = await logIdentity(origin, new Uint8Array(32).fill(1));
    await publish(await forged.signCheckpoint({ size: 2, root: new Uint8Array(32) }));
    expect(await viewAfterLook(watched)).toMatchObject({
      ...none,
      fault: expect.stringContaining('not signed by the log') as string,
    });
  });

  it('speaks against a log that was rewritten or cut', async () => {
    await world.grow(3);
    const watched = await watching();
    const identity = await logIdentity(origin, seed);
    await (await world.instance()).current();
    await publish(await identity.signCheckpoint({ size: 2, root: new Uint8Array(32).fill(5) }));
    expect(await viewAfterLook(watched)).toMatchObject({
      size: null,
      contradictsLog: true,
      fault: 'has cosigned another tree of 2 events: this log was rewritten or forked',
    });
    // Whoever can block the witness's address must not end the alarm.
    published = { status: 503, body: '' };
    expect(await viewAfterLook(watched)).toMatchObject({
      contradictsLog: true,
      fault: 'has cosigned another tree of 2 events: this log was rewritten or forked',
    });
    await publish(await identity.signCheckpoint({ size: 900, root: new Uint8Array(32).fill(5) }));
    expect(await viewAfterLook(watched)).toMatchObject({
      size: null,
      contradictsLog: true,
      fault: 'has cosigned 900 events, and this log has signed 3: this log was cut',
    });
  });
});
