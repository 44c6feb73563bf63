import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Actor, listDueDomainProofs, recordDomainCheck } from '@agent-trust/contracts';
import type { Received, Rpc } from '@agent-trust/nats-rpc';
import type { Logger } from '@agent-trust/service-kit';
import { edgeLimits } from '../limits.ts';
import type { FindToken } from './find-token.ts';
import { domainProofLimits } from './limits.ts';

type DueProof = Received<(typeof listDueDomainProofs)['output']>['proofs'][number];
type Parts = { rpc: Rpc; findToken: FindToken; logger: Logger };

/**
 * Looks again at proofs that are due, until the gateway stops. Every gateway does, at random times, so that it goes on whatever gateway is
 * away. What two of them record at nearly the same time counts once.
 */
export async function keepLookingAgain(parts: Parts, stopping: AbortSignal): Promise<void> {
  const { roundMs, firstRoundMs } = domainProofLimits;
  let waitMs = firstRoundMs * Math.random();
  while (!stopping.aborted) {
    const isOver = await delay(waitMs, false, { signal: stopping, ref: false }).catch(() => true);
    if (isOver) return;
    waitMs = roundMs * (0.5 + Math.random() / 2);
    await lookAgain(parts, new Date()).catch((err: unknown) =>
      parts.logger.warn({ err }, 'due proofs of domains could not be looked at; the next round tries again'),
    );
  }
}

/** One round. A proof that cannot be recorded now stays due. */
export async function lookAgain({ rpc, findToken, logger }: Parts, now: Date): Promise<void> {
  const origin = { correlationId: randomUUID() };
  const { proofs } = await rpc.request(
    listDueDomainProofs,
    { now: now.toISOString(), limit: domainProofLimits.proofsPerRoundMax },
    { ...origin, timeoutMs: edgeLimits.queryTimeoutMs },
  );
  const look = async ({ domain, orgId, tokenHashes, isDue }: DueProof): Promise<void> => {
    const isChecked = isDue && tokenHashes.length > 0;
    const method = isChecked ? ((await findToken(domain, tokenHashes)).found?.method ?? null) : null;
    const actor: Actor = { kind: 'system', id: 'gateway', credentials: [] };
    const check = { orgId, domain, isChecked, method, actor };
    await rpc.request(recordDomainCheck, check, { ...origin, timeoutMs: edgeLimits.commandTimeoutMs });
    if (isChecked && method === null) logger.info({ domain }, 'the token of a proved domain was not found');
  };
  const waiting = [...proofs];
  const work = async (): Promise<void> => {
    for (let proof = waiting.shift(); proof !== undefined; proof = waiting.shift()) {
      const { domain } = proof;
      await look(proof).catch((err: unknown) => logger.warn({ err, domain }, 'a proof could not be looked at'));
    }
  };
  await Promise.all(Array.from({ length: domainProofLimits.proofsAtOnceMax }, work));
}
