import type { TrustContribution } from '@agent-trust/client';

/** What a part of a score is called. */
export function partName({ kind, root }: Pick<TrustContribution, 'kind' | 'root'>): string {
  if (kind === 'prior') return 'Start';
  if (kind === 'record') return 'Record of the organisation';
  return kind === 'third_voice' ? `Third voice: ${root ?? ''}` : (root ?? '');
}
