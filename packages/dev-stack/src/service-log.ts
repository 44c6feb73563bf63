import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

const fileBytesMax = 20_000_000;
/** A longer line is cut, so that an endless one does not fill the memory. */
const lineCharactersMax = 64_000;

/** A log file that is moved to `<name>.1` when it has grown too large. A full disk loses lines, but does not stop the stack. */
export class LogFile {
  readonly #path: string;
  #descriptor: number;
  #bytes: number;

  constructor(path: string) {
    this.#path = path;
    this.#descriptor = openSync(path, 'a', 0o600);
    this.#bytes = fstatSync(this.#descriptor).size;
  }

  write(text: string): void {
    try {
      if (this.#bytes > fileBytesMax) {
        closeSync(this.#descriptor);
        renameSync(this.#path, `${this.#path}.1`);
        this.#descriptor = openSync(this.#path, 'a', 0o600);
        this.#bytes = 0;
      }
      this.#bytes += writeSync(this.#descriptor, text);
    } catch {
      // Disk full: services whose work needs the disk notice by themselves.
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** Cuts a stream of text into lines. Each chunk causes one callback with its complete lines, so that they can be written at once. */
export function lineSplitter(onLines: (lines: string[]) => void): (chunk: string) => void {
  let rest = '';
  return (chunk) => {
    const pieces = (rest + chunk).split('\n');
    rest = (pieces.pop() ?? '').slice(0, lineCharactersMax);
    const lines = pieces.filter((line) => line !== '').map((line) => line.slice(0, lineCharactersMax));
    if (lines.length > 0) onLines(lines);
  };
}

const levelNumbers: Readonly<Record<string, number>> = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
  silent: 99,
};
const levelColours: Readonly<Record<string, string>> = { warn: '33', error: '31', fatal: '31' };
const isShown = (name: string): boolean =>
  !/^(level|time|msg|pid|hostname|service|instance|err|trace_id|span_id)$/u.test(name);

const fields = (entry: Record<string, unknown>): string =>
  Object.entries(entry)
    .filter(([name]) => isShown(name))
    .map(([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('');

/**
 * A service's log line for the terminal; undefined below `threshold` (`trace` … `silent`). Lines that are not JSON, such as a crash, stay unchanged.
 */
export function prettyLine(service: string, line: string, threshold: string, colour: boolean): string | undefined {
  const least = levelNumbers[threshold] ?? 40;
  // Nearly every line is below the threshold; the logger writes the level first, so these lines need no parsing.
  const [, written] = /^\{"level":"([a-z]+)"/.exec(line) ?? [];
  if (written !== undefined && (levelNumbers[written] ?? 30) < least) return undefined;
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(line) as Record<string, unknown>;
    if (typeof entry !== 'object' || entry === null) throw new SyntaxError('not an object');
  } catch {
    if (least >= 99) return undefined;
    // A service that refuses its settings has no logger yet: it writes its name itself.
    const own = `${service.replace(/-\d+$/u, '')}: `;
    return `${service}: ${line.startsWith(own) ? line.slice(own.length) : line}`;
  }
  const level = typeof entry['level'] === 'string' ? entry['level'] : 'info';
  if ((levelNumbers[level] ?? 30) < least) return undefined;
  const problem = entry['err'] as { message?: unknown; cause?: { message?: unknown } } | undefined;
  // A message often contains its cause's message already.
  const because = [problem?.message, problem?.cause?.message].filter(
    (text, index, all) =>
      typeof text === 'string' && text !== entry['msg'] && !(index > 0 && String(all[0]).includes(text)),
  );
  const message = typeof entry['msg'] === 'string' ? entry['msg'] : '';
  const text = `${service}: ${message}${because.length > 0 ? ` (${because.join(': ')})` : ''}${fields(entry)}`;
  const code = levelColours[level];
  return colour && code !== undefined ? `\u001b[${code}m${text}\u001b[0m` : text;
}
