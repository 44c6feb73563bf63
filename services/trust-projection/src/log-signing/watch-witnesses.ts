import { setTimeout as delay } from 'node:timers/promises';
import type { LogWitness } from '@agent-trust/contracts';
import type { Logger } from '@agent-trust/service-kit';
import {
  cosignaturesOf,
  NoteError,
  type OpenedCheckpoint,
  openCheckpoint,
  parseVerifierKey,
  sameHash,
} from '@agent-trust/transparency-log';
import type { MerkleTree } from '../audit/start-log-record.ts';
import { bodyText } from '../shared/body-text.ts';
import { witnessLimits } from './limits.ts';
import { rootOfBeginning } from './root-of-beginning.ts';
import type { SignedHeadStore } from './signed-head-store.ts';
import type { WitnessAddress } from './witness-addresses.ts';

export type WatchedWitnesses = {
  /** What is known of each, in the order of the settings. */
  shown: () => readonly LogWitness[];
  /** Reads all once. Must not be called again before it has ended. */
  look: () => Promise<void>;
  /** Reads all now and every minute, until it is stopped. */
  start: () => void;
  stop: () => Promise<void>;
};

/** What is wrong with what a witness publishes, or with the log by it. */
class WitnessFault extends Error {
  override readonly name = 'WitnessFault';
  readonly contradictsLog: boolean;

  constructor(message: string, options: ErrorOptions & { contradictsLog?: boolean } = {}) {
    super(message, options);
    this.contradictsLog = options.contradictsLog ?? false;
  }
}

const contradiction = (message: string): WitnessFault => new WitnessFault(message, { contradictsLog: true });

/**
 * Reads what the log's witnesses publish (C2SP tlog-cosignature), and holds it against the log. The registry reads it where readers do: a witness whose
 * word needed the registry to come through could not testify to what the registry hides.
 *
 * @param parts.now milliseconds since the Unix epoch
 */
export function watchWitnesses(parts: {
  witnesses: readonly WitnessAddress[];
  store: Pick<SignedHeadStore, 'origin' | 'keys' | 'read'>;
  tree: Pick<MerkleTree, 'head' | 'hashes'>;
  logger: Pick<Logger, 'warn' | 'error'>;
  now?: () => number;
}): WatchedWitnesses {
  const { witnesses, store, tree, logger, now = Date.now } = parts;
  const stopping = new AbortController();
  const views = witnesses.map(
    ({ key: { name } }): LogWitness => ({ name, size: null, cosignedAt: null, contradictsLog: false, fault: null }),
  );

  const openPublished = async ({ key, url }: WitnessAddress): Promise<{ checkpoint: OpenedCheckpoint; at: Date }> => {
    const { origin } = store;
    const [logKey, ...otherLogKeys] = (await store.keys()).map(({ verifierKey }) => parseVerifierKey(verifierKey));
    if (logKey === undefined) throw new WitnessFault('cannot be verified: this log has no key yet');
    const note = await publishedAt(url, stopping.signal);
    const checkpoint = await openCheckpoint(note, { logKey, otherLogKeys, origin, witnessKeys: [key] });
    // It may have signed the same checkpoint several times.
    const times = cosignaturesOf(checkpoint).flatMap(({ signedAt }) => signedAt?.getTime() ?? []);
    const latest = Math.max(...times);
    if (times.length === 0) throw new WitnessFault('publishes a checkpoint without its own cosignature');
    if (!(latest <= now() + witnessLimits.clockAheadMs))
      throw new WitnessFault('publishes a cosignature of a time that is still to come: its clock is wrong');
    return { checkpoint, at: new Date(latest) };
  };

  /** Whether this log begins with a checkpoint; null while the record of the log is computed anew and cannot tell. @throws WitnessFault if it does not */
  const isOurs = async ({ size, root }: OpenedCheckpoint): Promise<true | null> => {
    const signed = await store.read();
    if (size > (signed?.size ?? 0))
      throw contradiction(
        `has cosigned ${size} events, and this log has signed ${signed?.size ?? 0}: this log was cut`,
      );
    const { frontier } = await tree.head();
    // What was signed last is known also while the record is behind it.
    if (signed?.size !== size && size > frontier.size) return null;
    const ours = signed?.size === size ? signed.root : await rootOfBeginning(tree, frontier, size);
    if (!sameHash(ours, root))
      throw contradiction(`has cosigned another tree of ${size} events: this log was rewritten or forked`);
    return true;
  };

  const read = async (witness: WitnessAddress, before: LogWitness): Promise<LogWitness> => {
    const { checkpoint, at } = await openPublished(witness);
    if ((await isOurs(checkpoint)) === null) return before;
    const sound = { ...before, contradictsLog: false, fault: null };
    const isNewer = before.cosignedAt === null || at > new Date(before.cosignedAt);
    return isNewer ? { ...sound, size: checkpoint.size, cosignedAt: at.toISOString() } : sound;
  };

  const look = async (): Promise<void> => {
    await Promise.all(
      witnesses.map(async (witness, at) => {
        const before = views[at] as LogWitness;
        const view = await read(witness, before).catch((error: unknown): LogWitness => {
          const { contradictsLog, message } = faultOf(error);
          if (!stopping.signal.aborted && message !== before.fault) {
            const line = { err: error, witness: before.name };
            if (contradictsLog) logger.error(line, 'a witness of the log contradicts it');
            else logger.warn(line, 'a witness of the log cannot be read');
          }
          // A contradiction stands until the witness is heard again: whoever can block its address must not end it.
          return before.contradictsLog && !contradictsLog ? before : { ...before, contradictsLog, fault: message };
        });
        if (!stopping.signal.aborted) views[at] = view;
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
  let watching = Promise.resolve();
  return {
    shown: () => views,
    look,
    start: () => {
      if (witnesses.length > 0) watching = watch();
    },
    stop: () => {
      stopping.abort();
      return watching;
    },
  };
}

/** What is shown of an error. Words of a note that is not verified may be anybody's, and of any length. */
const faultOf = (error: unknown): { contradictsLog: boolean; message: string } => {
  const { faultCharactersMax: max } = witnessLimits;
  const reason = error instanceof Error ? error.message || error.name : String(error);
  if (error instanceof WitnessFault) return { contradictsLog: error.contradictsLog, message: reason };
  const what = error instanceof NoteError ? 'publishes a note that does not hold' : 'cannot be held against the log';
  const message = `${what}: ${reason}`;
  return { contradictsLog: false, message: message.length > max ? `${message.slice(0, max)}…` : message };
};

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
    const reason = timeout.aborted
      ? `gave no answer within ${answerMs} ms`
      : 'cannot be reached, or leads to another one';
    throw new WitnessFault(`cannot be read: its address ${reason}`, { cause });
  }
};
