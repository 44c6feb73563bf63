import type { LogWitness } from '@agent-trust/contracts';
import { observe } from '@agent-trust/metrics';

type Heard = Pick<LogWitness, 'cosignedAt' | 'contradictsLog'>;

/**
 * What is reported of the witnesses: how many contradict the log, and for how many seconds the most silent one has cosigned nothing new. One that was
 * not heard yet is silent since `since`; without witnesses nobody is.
 *
 * @param since since when they are read, and @param now, in milliseconds since the Unix epoch
 */
export function witnessFigures(
  witnesses: readonly Heard[],
  since: number,
  now: number,
): { contradictions: number; silentSeconds: number } {
  const silent = witnesses.map(({ cosignedAt }) => now - (cosignedAt === null ? since : Date.parse(cosignedAt)));
  return {
    contradictions: witnesses.filter(({ contradictsLog }) => contradictsLog).length,
    silentSeconds: Math.max(0, ...silent) / 1_000,
  };
}

/** Reports the witnesses from now on. Returns a function that ends that. */
export function observeWitnesses(shown: () => readonly Heard[]): () => void {
  const since = Date.now();
  return observe((report) => {
    const { contradictions, silentSeconds } = witnessFigures(shown(), since, Date.now());
    report('registry.witness.contradictions', contradictions);
    report('registry.witness.silence', silentSeconds);
  });
}
