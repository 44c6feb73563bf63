import type { ExplainedTrust } from '@agent-trust/contracts';
import type { ContributionV2 } from '@agent-trust/trust-policy';

/** A part of a score or a record under formula v2, as it is shown. */
export function shownContribution(part: ContributionV2): ExplainedTrust['contributions'][number] {
  switch (part.kind) {
    case 'prior':
      return { ...part, cappedWeight: part.weight };
    case 'root':
      return part;
    case 'record':
    case 'third_voice':
      return { weight: 0, cappedWeight: 0, mean: 0, ...part };
    default:
      return part satisfies never;
  }
}
