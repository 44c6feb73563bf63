import type { Logger } from '@agent-trust/service-kit';

/** The name of the log, and where it comes from. */
type OriginSettings = {
  /** LOG_ORIGIN. */
  configured: string | undefined;
  /** The name by BASE_URL. */
  byAddress: string;
};

/**
 * The name under which the log is signed: the recorded one, which its first checkpoint had, whatever the registry's address is now; before
 * the first checkpoint LOG_ORIGIN, else the name by the address.
 *
 * @throws Error if LOG_ORIGIN is another than the recorded name
 */
export function chooseOrigin(
  recorded: string | null,
  { configured, byAddress }: OriginSettings,
  logger: Pick<Logger, 'info'>,
): string {
  if (recorded === null) return configured ?? byAddress;
  if (configured !== undefined && configured !== recorded) throw new Error(otherOrigin(configured, recorded));
  if (configured === undefined && byAddress !== recorded)
    logger.info(
      { origin: recorded },
      `the log keeps its recorded name ${recorded}, although BASE_URL would make it ${byAddress}`,
    );
  return recorded;
}

/** Why a log is not signed under another name, and what to do. */
export function otherOrigin(wanted: string, recorded: string): string {
  return (
    `LOG_ORIGIN is ${wanted}, but checkpoints of this log are signed as ${recorded}, and under another name it would be another log: ` +
    `set LOG_ORIGIN=${recorded}, or leave it unset. BASE_URL and ports may change`
  );
}
