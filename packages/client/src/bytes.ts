/** Base64 without a runtime's own buffers, for Node and browsers. */

/** WebCrypto accepts no view of shared memory; this type excludes it. */
export type Bytes = Uint8Array<ArrayBuffer>;

export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/u, '');
}

/** Decodes base64 or base64url; null if the text is neither. */
export function fromBase64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

/** 128 random bits, as base64url. */
export function randomText(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(16)));
}
