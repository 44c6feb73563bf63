import { openCheckpoint, parseVerifierKey, toHex, verifyConsistency } from '@agent-trust/transparency-log';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { logger, origin, seed, startWorld, type World } from '../testing/signed-log-world.ts';
import { logIdentity } from './log-identity.ts';
import { proveConsistency, proveInclusion } from './proofs.ts';
import { openSignedHeadStore } from './signed-head-store.ts';

/*
 * Bug: the registry signs two inconsistent trees: after a crash, by a standby that took over, by two instances at once, or of a log that was cut,
 * restored from an older copy or rewritten. Both checkpoints together would prove that it lies.
 * Method: a running service, the signing code of further instances beside it, and the tables of the log, which are edited underneath.
 */
let world: World;
beforeEach(async () => {
  world = await startWorld();
  return () => world.close();
});

const opened = async (note: string) => {
  const { verifierKey } = await logIdentity(origin, seed);
  return openCheckpoint(note, { logKey: parseVerifierKey(verifierKey) });
};

describe('checkpoints', () => {
  it('are equal from every instance, and grow', async () => {
    await world.grow(3);
    const [one, other] = [await world.instance(), await world.instance()];
    const first = await one.current();
    expect((await other.current()).note).toBe(first.note);
    expect(await opened(first.note)).toMatchObject({ origin, size: first.size, root: first.root });
    await world.grow(5);
    const second = await other.current();
    expect(second.size).toBe(first.size + 5);
    const proof = await proveConsistency({ checkpoints: one, tree: world.tree }, first.size, null);
    expect([proof.fromRoot, proof.to, proof.checkpoint]).toEqual([toHex(first.root), second.size, second.note]);
    const claim = { from: first.size, to: second.size, fromRoot: first.root, toRoot: second.root };
    expect(verifyConsistency({ ...claim, proof: proof.hashes.map((hash) => Buffer.from(hash, 'hex')) })).toBe(true);
  });

  it('never shrink and have one root for each size, however many instances sign while the log grows', async () => {
    const instances = await Promise.all([world.instance(), world.instance(), world.instance()]);
    const roots = new Map<number, string>();
    const sizesWanted = 4;
    const growing = (async () => {
      do await world.grow(60);
      while (roots.size < sizesWanted);
    })();
    let done = false;
    void growing.finally(() => (done = true));
    await Promise.all(
      instances.map(async (checkpoints) => {
        for (let before = 0; !done; ) {
          const { size, root } = await checkpoints.current();
          expect(size).toBeGreaterThanOrEqual(before);
          before = size;
          expect(roots.get(size) ?? toHex(root)).toBe(toHex(root));
          roots.set(size, toHex(root));
        }
      }),
    );
    await growing;
    expect(roots.size).toBeGreaterThanOrEqual(sizesWanted);
  });

  it('stay the same while the record is computed again', async () => {
    await world.grow(2);
    const one = await world.instance();
    const before = await one.current();
    // As after a crash of the database, which loses the last commits of the record because they are not flushed to disk.
    await world.owner.query(`UPDATE log_record.merkle_tree SET size = 0, frontier = ''`);
    expect((await one.current()).note).toBe(before.note);
    await world.owner.query('DELETE FROM log_record.merkle_tree');
    expect((await (await world.instance()).current()).note).toBe(before.note);
  });
});

describe('the keys of a log', () => {
  it('are recorded with the time in which they sign, at whichever instance', async () => {
    const [one, other] = [await world.openStore(), await world.openStore()];
    await one.recordKeys(['former']);
    await other.recordKeys(['present', 'former']);
    expect((await one.keys()).map(({ verifierKey, signedUntil }) => [verifierKey, signedUntil])).toEqual([
      ['present', null],
      ['former', null],
    ]);
    await one.recordKeys(['present']);
    const [present, former] = await other.keys();
    expect(present).toMatchObject({ verifierKey: 'present', signedUntil: null });
    expect(former?.signedUntil?.getTime()).toBeGreaterThan(former?.signsSince.getTime() ?? 0);
    await one.recordKeys(['former']);
    expect((await other.keys()).map(({ verifierKey, signedUntil }) => [verifierKey, signedUntil !== null])).toEqual([
      ['former', false],
      ['present', true],
    ]);
  });
});

describe('a log that is inconsistent with its last checkpoint', () => {
  it('is not signed if the last signed event was rewritten, and is again after that was undone', async () => {
    const position = await world.grow();
    const checkpoints = await world.instance();
    await checkpoints.current();
    const rewrite = (data: string): Promise<void> =>
      world.edit(`UPDATE event_log.events SET data = '${data}' WHERE position = ${position}`);
    await rewrite('{"n":1}');
    await expect(checkpoints.current()).rejects.toMatchObject({ code: 'log_inconsistent' });
    await world.grow();
    await expect(checkpoints.current()).rejects.toMatchObject({ code: 'log_inconsistent' });
    expect(checkpoints.fault()).toContain(`position ${position}`);
    await rewrite('{"n":0}');
    expect((await checkpoints.current()).size).toBe(2);
    expect(checkpoints.fault()).toBeNull();
  });

  it('is not signed if its end was cut off and it grew again', async () => {
    const cut = await world.grow(3);
    const checkpoints = await world.instance();
    const signed = await checkpoints.current();
    await world.edit(`DELETE FROM event_log.events WHERE position = ${cut}`);
    await world.grow();
    await expect(checkpoints.current()).rejects.toThrow(`position ${cut}`);
    expect(await checkpoints.signedSize()).toBe(signed.size);
  });

  it('is not signed if the tree has another root for the signed size', async () => {
    await world.grow(2);
    const checkpoints = await world.instance();
    const { size } = await checkpoints.current();
    const forged = `encode(sha256('forged'), 'base64')`;
    await world.edit(`UPDATE log_record.merkle_leaf SET hash = ${forged} WHERE leaf_index = 0`);
    await world.grow();
    await expect(checkpoints.current()).rejects.toThrow(`The tree of ${size} leaves has another root`);
  });

  it('is not signed if the head of the tree contradicts its leaves', async () => {
    await world.grow(2);
    const checkpoints = await world.instance();
    const signed = await checkpoints.current();
    await world.grow(3);
    await world.edit(`UPDATE log_record.merkle_tree SET frontier = encode(sha256('a') || sha256('b'), 'base64')`);
    await expect(checkpoints.current()).rejects.toThrow('head of the tree of 5 leaves');
    expect(await checkpoints.signedSize()).toBe(signed.size);
  });

  it('has no proof of leaves that were edited', async () => {
    await world.grow(5);
    const parts = { checkpoints: await world.instance(), tree: world.tree };
    expect(await proveInclusion(parts, { index: 3 }, null)).toMatchObject({ leafIndex: 3, size: 5 });
    expect(await proveConsistency(parts, 3, null)).toMatchObject({ from: 3, to: 5 });
    await world.edit(
      `UPDATE log_record.merkle_leaf SET hash = encode(sha256('forged'), 'base64') WHERE leaf_index = 2`,
    );
    for (const index of [2, 3])
      await expect(proveInclusion(parts, { index }, null)).rejects.toMatchObject({ code: 'log_inconsistent' });
    await expect(proveConsistency(parts, 3, null)).rejects.toMatchObject({ code: 'log_inconsistent' });
  });

  // Bug: an instance with another BASE_URL, started before the first checkpoint, signs the same tree as another log.
  it('is signed under one name, that of the first checkpoint', async () => {
    await world.grow(2);
    const [one, other] = [await world.instance(), await world.instance('other.test/log')];
    const { note } = await one.current();
    expect(await opened(note)).toMatchObject({ origin });
    await expect(other.current()).rejects.toThrow('checkpoints of this log are signed as registry.test/log');
    const store = await openSignedHeadStore(world.url, (recorded) => `recorded: ${recorded}`, logger);
    onTestFinished(() => store.close());
    expect(store.origin).toBe(`recorded: ${origin}`);
  });
});
