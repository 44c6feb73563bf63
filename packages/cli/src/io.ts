import { readFileSync } from 'node:fs';
import { UsageError } from './errors.ts';

/** Longest input from a file or standard input: slightly more than the registry accepts in one request. */
const inputBytesMax = 11 * 1024 * 1024;

export type Writable = { write: (text: string) => unknown; isTTY?: boolean | undefined; columns?: number | undefined };

/** Everything that a command sees of its process. */
export type Io = {
  stdout: Writable;
  stderr: Writable;
  env: Readonly<Record<string, string | undefined>>;
  /** All of standard input as text; can be read once. */
  readStdin: () => Promise<string>;
  /** Aborted by Ctrl-C and SIGTERM, once it was first used. */
  stopSignal: () => AbortSignal;
};

const tooLong = (name: string): UsageError => new UsageError(`${name} has more than ${inputBytesMax} bytes`);

/**
 * Reads standard input once: two options would each get half of it. Never blocks: a pipe that another program made non-blocking fails with EAGAIN.
 */
export function stdinReader(stdin: () => AsyncIterable<Uint8Array>): () => Promise<string> {
  let taken = false;
  return async () => {
    if (taken) throw new UsageError('standard input (-) can be given to one option only');
    taken = true;
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of stdin()) {
      bytes += chunk.byteLength;
      if (bytes > inputBytesMax) throw tooLong('standard input');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  };
}

const reasons: Record<string, string> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read',
  EISDIR: 'is a folder',
};

export async function readInput(path: string, io: Pick<Io, 'readStdin'>): Promise<string> {
  if (path === '-') return io.readStdin();
  try {
    const bytes = readFileSync(path);
    if (bytes.byteLength > inputBytesMax) throw tooLong(path);
    return bytes.toString('utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new UsageError(`${path} ${reasons[code] ?? `cannot be read (${code})`}`, { cause: error });
  }
}

/** The text itself, the content of the file for `@path`, or standard input for `-`. */
export async function textOrFile(value: string, io: Pick<Io, 'readStdin'>): Promise<string> {
  if (value === '-') return io.readStdin();
  return value.startsWith('@') ? readInput(value.slice(1), io) : value;
}
