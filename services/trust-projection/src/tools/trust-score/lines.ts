const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** A line of input: its number, from 1, and its bytes without the line end. */
export type Line = { number: number; bytes: Uint8Array };

/** A line longer than the limit; reading stopped before it was held in memory. */
export class LineTooLongError extends Error {
  override readonly name = 'LineTooLongError';
  readonly lineNumber: number;
  constructor(lineNumber: number, lineBytesMax: number) {
    super(`is longer than ${lineBytesMax} bytes`);
    this.lineNumber = lineNumber;
  }
}

/** Cuts a stream of bytes into lines, holding at most one. Lines end in LF or CRLF; a byte order mark is dropped. Throws LineTooLongError. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>, lineBytesMax: number): AsyncGenerator<Line> {
  let number = 1;
  let parts: Uint8Array[] = [];
  let held = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      if (held + end - start > lineBytesMax) throw new LineTooLongError(number, lineBytesMax);
      yield { number, bytes: trimmed([...parts, chunk.subarray(start, end)], number) };
      [parts, held, start] = [[], 0, end + 1];
      number += 1;
    }
    held += chunk.length - start;
    if (held > lineBytesMax) throw new LineTooLongError(number, lineBytesMax);
    if (start < chunk.length) parts.push(chunk.subarray(start));
  }
  if (held > 0) yield { number, bytes: trimmed(parts, number) };
}

const trimmed = (parts: readonly Uint8Array[], number: number): Uint8Array => {
  const [first] = parts;
  // A line of one chunk is not copied.
  let bytes = parts.length === 1 && first !== undefined ? first : Buffer.concat(parts);
  if (number === 1 && BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte)) bytes = bytes.subarray(3);
  return bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;
};
