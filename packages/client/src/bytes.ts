/** Base64 without a runtime's own buffers, for Node and browsers alike. */

/** WebCrypto takes no view of shared memory; this is what its types call the rest. */
export type Bytes = Uint8Array<ArrayBuffer>;

export const utf8 = (text: string): Bytes => new TextEncoder().encode(text);

export const toBase64 = (bytes: Uint8Array): string => {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
};

export const toBase64Url = (bytes: Uint8Array): string =>
  toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/u, '');

/** Bytes of base64 or base64url text; null where it is neither. */
export const fromBase64 = (text: string): Bytes | null => {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
};

/** 128 random bits that nobody can guess, as base64url. */
export const randomText = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(16)));
