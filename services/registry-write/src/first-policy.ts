import { randomUUID } from 'node:crypto';
import { DomainError, trustPolicyStream } from '@agent-trust/contracts';
import { type EventLog, handleCommand } from '@agent-trust/event-log';
import type { Logger } from '@agent-trust/service-kit';
import type { AnyTrustPolicy } from '@agent-trust/trust-policy';
import { keepTrying } from './keep-trying.ts';
import { trustPolicyStreams } from './stream-kinds.ts';

/**
 * Puts a policy in force by the first event of a log. A log that has any event is left as it is, also one that was restored or whose exchanges were
 * archived. Any number of instances may try at once: the stream of policies takes one first event.
 *
 * @returns whether this call has put it in force
 * @throws EventLogError, also while nobody has said yet whether the log is the right one
 */
export async function activateFirstPolicy(
  { log, now }: { log: EventLog; now: () => Date },
  policy: AnyTrustPolicy,
): Promise<boolean> {
  if ((await log.headPosition()) !== null) return false;
  try {
    await handleCommand({
      log,
      ...trustPolicyStreams,
      stream: trustPolicyStream,
      command: { type: 'ActivateTrustPolicy', policy, activationsBefore: 0, now: now().toISOString() },
      metadata: { correlationId: randomUUID(), actor: { kind: 'system', id: null, credentials: [] } },
      newEventId: randomUUID,
    });
    return true;
  } catch (error) {
    // Another instance was faster.
    if (error instanceof DomainError) return false;
    throw error;
  }
}

const retryBackoff = { firstMs: 200, longestMs: 5_000, jitter: 0 };

/**
 * Tries until it is settled with which policy the log begins, or the service stops. Nothing may be written before: neither the taxonomy nor an agent.
 *
 * @param activate one attempt; a rejection is logged and retried
 */
export async function untilFirstPolicy(
  activate: () => Promise<boolean>,
  { logger, stopping }: { logger: Logger; stopping: AbortSignal },
): Promise<void> {
  const whatFailed = 'the first trust policy could not be put in force';
  if (await keepTrying(activate, { logger, stopping, backoff: retryBackoff, whatFailed })) {
    logger.info('the log was empty, so its first event puts the trust policy in force');
  }
}
