import { NetworkError, UnexpectedAnswerError } from '../errors.ts';

/** The body was longer than allowed. */
class BodyTooLong extends Error {}

/** The text of a body of at most `bytesMax` bytes. A longer one is cancelled. `unreadable` translates what it throws. */
export async function readText(response: Response, bytesMax: number): Promise<string> {
  const decoder = new TextDecoder();
  const texts: string[] = [];
  await readPieces(response, bytesMax, (piece) => texts.push(decoder.decode(piece, { stream: true })));
  texts.push(decoder.decode());
  return texts.join('');
}

/** The bytes of a body; with the same limit and errors. */
export async function readBytes(response: Response, bytesMax: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  await readPieces(response, bytesMax, (piece) => pieces.push(piece));
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

const readPieces = async (
  response: Response,
  bytesMax: number,
  onPiece: (piece: Uint8Array) => void,
): Promise<void> => {
  if (response.body === null) return;
  const reader = response.body.getReader();
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    if (bytes > bytesMax) {
      // Without waiting for the other side.
      reader.cancel().catch(() => {});
      throw new BodyTooLong(`the answer is longer than ${bytesMax} bytes`);
    }
    onPiece(value);
  }
};

/** Throws this client's error for an answer whose text could not be read. */
export function unreadable(operation: string, { status, headers }: Response) {
  return (cause: unknown): never => {
    if (cause instanceof BodyTooLong)
      throw new UnexpectedAnswerError(operation, cause.message, { status, requestId: headers.get('x-request-id') });
    throw new NetworkError(operation, 'the connection broke in the middle of the answer', { cause });
  };
}
