import type { RecordedText, SealedText } from '@agent-trust/contracts';

/** Equal texts are sealed alike under one key; under two nobody can tell, so they count as different. */
export function isSameText(a: RecordedText | null, b: RecordedText | null): boolean {
  if (a === null || b === null) return a === b;
  if ('plain' in a || 'plain' in b) return 'plain' in a && 'plain' in b && a.plain === b.plain;
  return a.keyId === b.keyId && a.sealed === b.sealed;
}

/** Guards the log: a contact goes into it sealed. Who lets one come here in clear has a fault. */
export function ensureSealed(text: RecordedText | null): SealedText | null {
  if (text !== null && 'plain' in text) throw new Error('a contact in clear would have been written to the log');
  return text;
}
