import { addressPattern } from './address-pattern.ts';

/** Stands where an agent's address stood: a name that no resolver knows (RFC 6761 §6.4). */
export const hiddenAddress = 'agent.invalid';

/** Bytes as characters of the same number, so that any body can be searched and put back unchanged. */
const asLatin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** A body with the host and port of the endpoint taken out wherever they stand in clear; the same bytes where they do not. */
export function hideAddress(body: Uint8Array, endpointUrl: string): Uint8Array {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  const hidden = text.replaceAll(addressPattern(endpointUrl, asLatin1), hiddenAddress);
  return hidden === text ? body : Buffer.from(hidden, 'latin1');
}
