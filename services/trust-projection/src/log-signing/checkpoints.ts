import { DomainError } from '@agent-trust/contracts';
import type { EventLog } from '@agent-trust/event-log';
import { archivedLeafAt } from '@agent-trust/log-archive';
import type { Logger } from '@agent-trust/service-kit';
import { frontierRoot, leafHash, logEntryOf, sameHash, treeRoot } from '@agent-trust/transparency-log';
import { queryLimits } from '../shared/limits.ts';
import { sharedTurns } from '../shared/shared-turns.ts';
import type { MerkleTree } from '../audit/start-log-record.ts';
import type { LogIdentity } from './log-identity.ts';
import { rootOfBeginning } from './root-of-beginning.ts';
import type { SignedHead, SignedHeadStore } from './signed-head-store.ts';

type TreeHead = Awaited<ReturnType<MerkleTree['head']>>;

/** A head of the tree with the log's signature. */
export type SignedCheckpoint = { size: number; root: Uint8Array; note: string };

export type Checkpoints = ReturnType<typeof checkpointsOf>;

/** Attempts to sign while other instances do: each that is lost means that another has signed. */
const attemptsMax = 5;

const inconsistent = (what: string): DomainError =>
  new DomainError('log_inconsistent', `${what}; nothing is signed until the log is as it was.`);

/** Signs heads of the tree, each checked against what was signed before. */
export function checkpointsOf(parts: {
  identity: LogIdentity;
  store: SignedHeadStore;
  tree: MerkleTree;
  log: Pick<EventLog, 'readAt' | 'readStream'>;
  logger: Logger;
}) {
  const { identity, store, tree, log, logger } = parts;
  const turn = sharedTurns<SignedCheckpoint>(queryLimits.checkpoints);
  let last: SignedCheckpoint | null = null;
  let fault: string | null = null;

  const withNote = async ({ size, root }: Pick<SignedHead, 'size' | 'root'>): Promise<SignedCheckpoint> => {
    if (last === null || last.size !== size || !sameHash(last.root, root)) {
      last = { size, root, note: await identity.signCheckpoint({ size, root }) };
    }
    return last;
  };

  /** The tree has, for what was signed, the root that was signed. A tree that is behind that is being computed again. */
  const ensureContinues = async ({ frontier }: TreeHead, signed: SignedHead): Promise<void> => {
    const { size } = signed;
    if (size === 0 || size > frontier.size) return;
    const root = await rootOfBeginning(tree, frontier, size);
    if (!sameHash(root, signed.root))
      throw inconsistent(`The tree of ${size} leaves has another root than the one that was signed`);
  };

  /** The root that is signed next. A head that was damaged would have the registry sign another tree than the one that it serves. */
  const rootOf = async ({ frontier }: TreeHead): Promise<Uint8Array> => {
    const { size } = frontier;
    const root = frontierRoot(frontier);
    if (!sameHash(root, await treeRoot(size, tree.hashes(size))))
      throw inconsistent(`The head of the tree of ${size} leaves has another root than the leaves`);
    return root;
  };

  const lastLeafOf = async ({ position }: TreeHead): Promise<SignedHead['lastLeaf']> => {
    if (position === null) return null;
    const [leaf] = await tree.leavesAt([position]);
    return leaf === undefined ? null : { position, hash: leaf.hash };
  };

  /** A log that was cut, or restored from an older copy, lacks these events or has others in their places. */
  const ensureLogHolds = async (leaves: readonly SignedHead['lastLeaf'][]): Promise<void> => {
    const expected = leaves.filter((leaf) => leaf !== null);
    const events = new Map(
      (await log.readAt([...new Set(expected.map(({ position }) => position))])).map((event) => [
        event.position,
        event,
      ]),
    );
    for (const { position, hash } of expected) {
      const event = events.get(position);
      // In a log that was idle for long, the last event that was signed may have been archived since.
      const found = event === undefined ? (await archivedLeafAt(log, position))?.hash : leafHash(logEntryOf(event));
      if (found === undefined) throw inconsistent(`The log no longer holds the event at position ${position}`);
      if (!sameHash(found, hash))
        throw inconsistent(`The event at position ${position} is not the one of which the tree was made`);
    }
  };

  const sign = async (): Promise<SignedCheckpoint> => {
    // The size that the caller must get at least. Once another instance has signed that much, this one need not sign.
    let wanted = Infinity;
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      // What was signed is read first: the tree that is read after it can only be newer.
      const signed = await store.read();
      const head = await tree.head();
      const { size } = head.frontier;
      if (signed !== null) await ensureContinues(head, signed);
      wanted = Math.min(wanted, size);
      if (signed !== null && wanted <= signed.size) {
        // Also when nothing is to be signed: what a log has in the place of what it lost may never become a leaf.
        await ensureLogHolds([signed.lastLeaf]);
        return withNote(signed);
      }
      const next = { size, root: await rootOf(head), lastLeaf: await lastLeafOf(head) };
      await ensureLogHolds([signed?.lastLeaf ?? null, next.lastLeaf]);
      if (await store.replace(signed, next)) return withNote(next);
    }
    throw new DomainError('overloaded', 'Other instances keep signing newer checkpoints; try again later.');
  };

  const signOrReport = async (): Promise<SignedCheckpoint> => {
    try {
      const checkpoint = await sign();
      fault = null;
      return checkpoint;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'log_inconsistent') {
        if (fault !== error.message) logger.error({ err: error }, 'the log does not continue what was signed');
        fault = error.message;
      }
      throw error;
    }
  };

  return {
    /**
     * The newest checkpoint: of the tree as the log record has it, or the last signed one while the record is behind that. Its size never
     * falls, and no size is ever signed with two roots, by any instance. Throws DomainError `log_inconsistent`.
     */
    current: (signal?: AbortSignal): Promise<SignedCheckpoint> => turn('checkpoint', signOrReport, signal),
    /** The size up to which proofs and tiles are given: what has been signed; 0 before anything was. */
    signedSize: async (): Promise<number> => (await store.read())?.size ?? 0,
    /** What is wrong with the log, as the last attempt to sign found; null if nothing is. */
    fault: (): string | null => fault,
  };
}
