import { signatureLimits } from './limits.ts';
import type { BareItem } from './structured-fields/types.ts';

/** An agent's id in `keyid`: a string if it is ASCII (RFC 9421), else a display string (RFC 9651), so that each id has exactly one spelling. */
export function keyIdItem(keyId: string): BareItem {
  return isPrintableAscii(keyId) ? { type: 'string', value: keyId } : { type: 'display', value: keyId };
}

/** The id in a `keyid`, or null if it is invalid: another type, empty, too long, or a display string for an ASCII id. */
export function keyIdOf(value: BareItem): string | null {
  if (value.type !== 'string' && value.type !== 'display') return null;
  if (value.type === 'display' && (isPrintableAscii(value.value) || /\p{Cc}/u.test(value.value))) return null;
  const chars = Array.from(value.value).length;
  return chars >= 1 && chars <= signatureLimits.keyIdCharsMax ? value.value : null;
}

const isPrintableAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);
