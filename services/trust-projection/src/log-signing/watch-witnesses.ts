import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@agent-trust/service-kit';
import {
  cosignaturesOf,
  frontierRoot,
  type OpenedCheckpoint,
  openCheckpoint,
  parseVerifierKey,
  sameHash,
  treeRoot,
} from '@agent-trust/transparency-log';
import type { MerkleTree } from '../audit/start-log-record.ts';
import { bodyText } from '../shared/body-text.ts';
import { witnessLimits } from './limits.ts';
import type { SignedHeadStore } from './signed-head-store.ts';
import type { WitnessAddress } from './witness-addresses.ts';

/** What is known of a witness by what it publishes. */
export type WitnessView = {
  name: string;
  /** Events of the newest checkpoint that it has cosigned and that this log begins with; null before one was read. */
  size: number | null;
  /** When it did, by its own clock (ISO 8601). */
  cosignedAt: string | null;
  /** Why nothing could be read the last time, or what speaks against the witness or this log; null if nothing is wrong. */
  fault: string | null;
};

export type WatchedWitnesses = {
  /** What is known of each, in the order of the settings. */
  shown: () => readonly WitnessView[];
  /** Reads all once; runs by itself every minute. */
  look: () => Promise<void>;
  stop: () => Promise<void>;
};

/** What is wrong with what a witness publishes. */
class WitnessFault extends Error {
  override readonly name = 'WitnessFault';
}

/**
 * Reads what the log's witnesses publish (C2SP tlog-cosignature), and holds it against the log. The registry reads it where readers do: a witness whose
 * word needed the registry to come through could not testify to what the registry hides.
 */
export function watchWitnesses(parts: {
  witnesses: readonly WitnessAddress[];
  store: Pick<SignedHeadStore, 'origin' | 'keys' | 'read'>;
  tree: Pick<MerkleTree, 'head' | 'hashes'>;
  logger: Pick<Logger, 'warn'>;
}): WatchedWitnesses {
  const { witnesses, store, tree, logger } = parts;
  const stopping = new AbortController();
  const views = witnesses.map(
    ({ key: { name } }): WitnessView => ({ name, size: null, cosignedAt: null, fault: null }),
  );

  const opened = async ({ key, url }: WitnessAddress): Promise<OpenedCheckpoint> => {
    const { origin } = store;
    const [logKey, ...otherLogKeys] = (await store.keys()).map(({ verifierKey }) => parseVerifierKey(verifierKey));
    if (logKey === undefined) throw new WitnessFault('this log has no key yet');
    const note = await publishedAt(url, stopping.signal);
    return openCheckpoint(note, { logKey, otherLogKeys, origin, witnessKeys: [key] });
  };

  /** What is cosigned is a beginning of this log. While the record of the log is computed anew, it cannot tell. */
  const ensureOurs = async ({ size, root }: OpenedCheckpoint): Promise<void> => {
    const signed = await store.read();
    if (size > (signed?.size ?? 0))
      throw new WitnessFault(`has cosigned ${size} events, and this log has signed ${signed?.size ?? 0}: it was cut`);
    const { frontier } = await tree.head();
    if (size === 0 || size > frontier.size) return;
    const ours = size === frontier.size ? frontierRoot(frontier) : await treeRoot(size, tree.hashes(frontier.size));
    if (!sameHash(ours, root))
      throw new WitnessFault(`has cosigned another tree of ${size} events: the log was rewritten or forked`);
  };

  const read = async (witness: WitnessAddress, before: WitnessView): Promise<WitnessView> => {
    try {
      const checkpoint = await opened(witness);
      const [cosignature] = cosignaturesOf(checkpoint);
      if (cosignature?.signedAt == null) throw new WitnessFault('publishes a checkpoint without its own cosignature');
      await ensureOurs(checkpoint);
      return { ...before, size: checkpoint.size, cosignedAt: cosignature.signedAt.toISOString(), fault: null };
    } catch (error) {
      return { ...before, fault: error instanceof Error ? error.message || error.name : String(error) };
    }
  };

  const look = async (): Promise<void> => {
    await Promise.all(
      witnesses.map(async (witness, at) => {
        const before = views[at] as WitnessView;
        const view = await read(witness, before);
        if (stopping.signal.aborted) return;
        const { name, fault } = view;
        if (fault !== null && fault !== before.fault)
          logger.warn({ witness: name, fault }, 'a witness of the log has a fault');
        views[at] = view;
      }),
    );
  };

  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await look();
      const hasFault = views.some(({ fault }) => fault !== null);
      const pauseMs = hasFault ? witnessLimits.afterFaultMs : witnessLimits.readEveryMs;
      await delay(pauseMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  };
  const watching = witnesses.length === 0 ? Promise.resolve() : watch();
  return {
    shown: () => views,
    look,
    stop: () => {
      stopping.abort();
      return watching;
    },
  };
}

/** The note at an address that the operator has named, often a private one, so the outbound client for addresses of anonymous callers is not used. */
const publishedAt = async (url: string, stopping: AbortSignal): Promise<string> => {
  const { answerMs, noteBytesMax } = witnessLimits;
  const timeout = AbortSignal.timeout(answerMs);
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.any([timeout, stopping]) });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new WitnessFault(`cannot be read: its address answered ${response.status}`);
    }
    return await bodyText(
      response,
      noteBytesMax,
      () => new WitnessFault(`cannot be read: its address answered more than ${noteBytesMax} bytes`),
    );
  } catch (cause) {
    if (cause instanceof WitnessFault) throw cause;
    const reason = timeout.aborted ? `gave no answer within ${answerMs} ms` : 'cannot be reached';
    throw new WitnessFault(`cannot be read: its address ${reason}`, { cause });
  }
};
