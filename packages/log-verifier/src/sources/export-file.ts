import { createReadStream } from 'node:fs';
import { verifierLimits } from '../limits.ts';
import { exportEndOf, leafOfLine } from './export-line.ts';
import { type Bookmark, eventName, type LogSource, type SourceLeaf } from './log-source.ts';

const newline = 0x0a;
const chunkBytes = 1024 * 1024;

/** An export of the log, JSON Lines as GET /ops/events writes them, holding one chunk and the longest line in memory. */
export function exportFile(path: string): LogSource {
  let hasEnd = false;
  let isShort: string | null = null;
  const onEnd = (said: number, found: number): void => {
    hasEnd = true;
    if (said !== found) isShort ??= `The export says that ${said} events were written, and ${found} are there.`;
  };
  return {
    description: `the export ${path}`,
    pages: (from) => leafPages(path, from, from === undefined ? onEnd : () => undefined),
    remarks: () => [
      ...(hasEnd
        ? []
        : ['The export has no last line with "end_of_export": it broke off, or was cut, while it was written.']),
      ...(isShort === null ? [] : [isShort]),
    ],
    close: () => Promise.resolve(),
  };
}

/** `onEnd` receives the number of events before a last line, as that line says and as counted. Concatenated exports have several. */
async function* leafPages(
  path: string,
  from: Bookmark | undefined,
  onEnd: (said: number, found: number) => void,
): AsyncGenerator<SourceLeaf[]> {
  const start = from?.place ?? 0n;
  let index = from?.index ?? 0;
  let indexWanted = index;
  let endedAt = index;
  let offset = start;
  let last = -1n;
  for await (const lines of linePages(path, start)) {
    const leaves: SourceLeaf[] = [];
    for (const { text, bytes } of lines) {
      const place = offset;
      offset += BigInt(bytes);
      if (text.trim() === '') continue;
      const end = exportEndOf(text);
      if (end !== null) {
        onEnd(end.events, index - endedAt);
        endedAt = index;
        continue;
      }
      const leaf = leafOfLine(text, { index, place }, indexWanted);
      // A gap, or a line too many, is reported once, and not for every line after it.
      if (leaf.fault?.code !== 'event_order') indexWanted += 1 + (leaf.fault?.count ?? 0);
      const position = positionOf(leaf);
      if (leaf.fault === null && position !== null && position <= last)
        leaf.fault = {
          code: 'event_order',
          message: `line ${index + 1} (index ${index}): ${eventName(leaf.entry)} stands behind position ${last}`,
        };
      last = position ?? last;
      leaves.push(leaf);
      index += 1;
    }
    yield leaves;
  }
}

const positionOf = ({ entry }: SourceLeaf): bigint | null =>
  entry !== null && /^\d{1,20}$/u.test(entry.position) ? BigInt(entry.position) : null;

type Line = { text: string; bytes: number };

async function* linePages(path: string, start: bigint): AsyncGenerator<Line[]> {
  let rest: Buffer = Buffer.alloc(0);
  const stream = createReadStream(path, { start: Number(start), highWaterMark: chunkBytes });
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const lines: Line[] = [];
    let begin = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, begin)) {
      lines.push({ text: bytes.toString('utf8', begin, end), bytes: end + 1 - begin });
      begin = end + 1;
    }
    rest = bytes.subarray(begin);
    if (rest.length > verifierLimits.exportLineBytesMax)
      throw new Error(
        `${path} has a line of more than ${verifierLimits.exportLineBytesMax} bytes: it is no export of a log.`,
      );
    if (lines.length > 0) yield lines;
  }
  if (rest.length > 0) yield [{ text: rest.toString('utf8'), bytes: rest.length }];
}
