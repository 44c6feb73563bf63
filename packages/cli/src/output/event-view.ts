import { existsSync, renameSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { AgentEvent, EndOfExport, LoggedEvent } from '@agent-trust/client';
import { UsageError } from '../errors.ts';
import { timeText } from './agent-view.ts';
import type { Output } from './output.ts';
import { safeJson, safeLine } from './safe-text.ts';

/** Widths that suit most events, so that lines that come one by one stand below each other. */
const widths = { position: 8, type: 24, actor: 32 } as const;
/** Text that is written to a file at a time. */
const chunkCharsMax = 256 * 1024;

type Actor = { kind: string; id?: string | null; credentials?: readonly string[] | null };

const actorText = ({ kind, id, credentials }: Actor): string => {
  const by = credentials == null || credentials.length === 0 ? '' : ` (${credentials.join(', ')})`;
  return `${id == null || id === kind ? kind : `${kind} ${id}`}${by}`;
};

/** One event on one line: position, time, type, who, and what it belongs to. */
export function eventLine(event: AgentEvent | LoggedEvent, { paint }: Pick<Output, 'paint'>): string {
  const isLogged = 'stream' in event;
  const actor = isLogged ? (event.metadata['actor'] as Actor | undefined) : event.actor;
  const { transaction_id: transaction } = event.data as { transaction_id?: unknown };
  const about = isLogged ? event.stream : typeof transaction === 'string' ? `exchange ${transaction}` : '';
  const fields = [
    paint('dim', safeLine(event.position).padStart(widths.position)),
    safeLine(timeText(event.recorded_at)),
    paint('bold', safeLine(event.type).padEnd(widths.type)),
    safeLine(actor === undefined ? '' : actorText(actor)).padEnd(widths.actor),
    safeLine(about),
  ];
  return fields.join('  ').trimEnd();
}

const partOf = (file: string): string => `${file}.part`;

/**
 * Writes an export as JSON Lines with its last line, which says that it is complete. A file has its name only once it is whole; until then, and
 * after a failure, it is `<file>.part`. @throws UsageError for a file that exists or cannot be written
 */
export async function exportEvents(
  file: string,
  exported: (onEnd: (end: object) => void) => AsyncIterable<object>,
  out: Output,
): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<object>();
  const lines = async (write: (text: string) => Promise<void>): Promise<EndOfExport> => {
    let waiting = '';
    for await (const event of exported(resolve)) {
      waiting += `${safeJson(JSON.stringify(event))}\n`;
      if (waiting.length < chunkCharsMax) continue;
      await write(waiting);
      waiting = '';
    }
    const end = (await ended) as EndOfExport;
    await write(`${waiting}${JSON.stringify({ end_of_export: end })}\n`);
    return end;
  };
  const end =
    file === '-' ? await lines(async (written) => out.raw(written)) : await intoNewFile(file, (write) => lines(write));
  const upTo = end.up_to_position === null ? '' : `, up to position ${end.up_to_position}`;
  out.note(`The export is complete: ${end.events} events${upTo}${file === '-' ? '' : `, in ${file}`}.`);
}

const intoNewFile = async <Result>(
  file: string,
  work: (write: (text: string) => Promise<void>) => Promise<Result>,
): Promise<Result> => {
  if (existsSync(file)) throw new UsageError(`${file} exists already: name a new file`);
  const part = partOf(file);
  const handle = await newFile(part).catch((cause: unknown) => {
    throw new UsageError(`${part} cannot be written (${(cause as NodeJS.ErrnoException).code ?? ''})`, { cause });
  });
  try {
    const result = await work(async (written) => await handle.appendFile(written));
    await handle.sync();
    renameSync(part, file);
    return result;
  } finally {
    await handle.close();
  }
};

/** What is there, such as the part of an export that failed, is removed: it may be readable by others, or a link to another file. */
const newFile = async (file: string): Promise<FileHandle> => {
  rmSync(file, { force: true });
  return open(file, 'wx', 0o600);
};
