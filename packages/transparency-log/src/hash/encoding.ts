const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Lower-case hexadecimal digits. */
export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += hexOfByte[byte];
  return text;
}

/** By the code of a digit; undefined for anything else. */
const valueOfDigit: readonly (number | undefined)[] = Array.from({ length: 0x80 }, (_, code) => {
  const value = '0123456789abcdef'.indexOf(String.fromCharCode(code));
  return value === -1 ? undefined : value;
});

/** @throws TypeError unless `text` is an even number of lower-case hexadecimal digits. */
export function fromHex(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length >> 1);
  for (let at = 0; at < text.length; at += 2) {
    const high = valueOfDigit[text.charCodeAt(at)];
    const low = valueOfDigit[text.charCodeAt(at + 1)];
    if (high === undefined || low === undefined) throw new TypeError('this is not hexadecimal in lower case');
    bytes[at >> 1] = (high << 4) | low;
  }
  return bytes;
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
