const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Lower-case hexadecimal digits. */
export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += hexOfByte[byte];
  return text;
}

/** @throws TypeError unless `text` is an even number of lower-case hexadecimal digits. */
export function fromHex(text: string): Uint8Array {
  if (!/^(?:[0-9a-f]{2})*$/u.test(text)) throw new TypeError('this is not hexadecimal in lower case');
  return Uint8Array.from({ length: text.length / 2 }, (_, index) =>
    Number.parseInt(text.slice(index * 2, index * 2 + 2), 16),
  );
}

/** Standard base64 with padding (RFC 4648 §4). */
export function toBase64(bytes: Uint8Array): string {
  let chars = '';
  for (const byte of bytes) chars += String.fromCharCode(byte);
  return btoa(chars);
}

/**
 * The bytes of standard base64 (RFC 4648 §4, §3.5). Other spellings of the same bytes are refused: they would let a note be edited without a trace.
 * @throws TypeError for anything else.
 */
export function fromBase64(text: string): Uint8Array {
  let chars: string | undefined;
  try {
    chars = atob(text);
  } catch {
    // Reported below, in the words of this function.
  }
  if (chars === undefined || btoa(chars) !== text) throw new TypeError('this is not standard base64');
  return Uint8Array.from(chars, (char) => char.charCodeAt(0));
}
