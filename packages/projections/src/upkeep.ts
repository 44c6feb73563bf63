import { pause } from '@agent-trust/limits';
import type { BatchWriter } from './batch-writer.ts';
import { projectionLimits, type ProjectionLogger } from './limits.ts';
import type { ProjectedEvent, Upkeep } from './projection.ts';

/** Runs pieces of work one after the other, in the order in which they were given. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function turns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}

/**
 * Calls the steps of a read model's upkeep until the signal ends it, each between two batches. A step that fails is logged and tried again:
 * it never stops the read model. What breaks the connection, the next batch meets as well.
 */
export async function keepUp<Event extends ProjectedEvent>(
  writer: BatchWriter<Event>,
  upkeep: Upkeep | undefined,
  parts: { inTurn: InTurn; ended: AbortSignal; logger: ProjectionLogger },
): Promise<void> {
  const step = upkeep?.step ?? null;
  if (upkeep === undefined || step === null) return;
  for (let waitMs = 0; ; ) {
    await pause(waitMs, parts.ended);
    if (parts.ended.aborted) return;
    try {
      waitMs = await parts.inTurn(() => writer.upkeep({ ...upkeep, step }));
    } catch (error) {
      if (parts.ended.aborted) return;
      parts.logger.warn({ err: error }, 'a step of the upkeep of the read models failed; it is tried again');
      waitMs = projectionLimits.upkeepRetryMs;
    }
  }
}
