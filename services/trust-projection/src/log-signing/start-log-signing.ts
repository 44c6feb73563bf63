import type { Logger } from '@agent-trust/service-kit';
import { checkpointsOf } from './checkpoints.ts';
import { logIdentity } from './log-identity.ts';
import { logSigningMethods, type LogSigningParts } from './log-signing-methods.ts';
import { openSignedHeadStore } from './signed-head-store.ts';

export type LogSigning = {
  /** What is wrong with the log, as the last attempt to sign found; null when nothing is. */
  fault: () => string | null;
  methods: ReturnType<typeof logSigningMethods>;
  stop: () => Promise<void>;
};

/** Signs and proves in the name of the log. Every instance does, and all sign the same. */
export async function startLogSigning(
  parts: LogSigningParts & {
    origin: string;
    /** Of the Ed25519 key, 32 bytes. */
    seed: Uint8Array;
    databaseUrl: string;
    logger: Logger;
  },
): Promise<LogSigning> {
  const { origin, seed, databaseUrl, log, logRecord, logger } = parts;
  const identity = await logIdentity(origin, seed);
  const store = await openSignedHeadStore(databaseUrl, origin, logger);
  const checkpoints = checkpointsOf({ identity, store, tree: logRecord.tree, log, logger });
  return {
    methods: logSigningMethods({ ...parts, identity, checkpoints }),
    fault: () => checkpoints.fault(),
    stop: () => store.close(),
  };
}
