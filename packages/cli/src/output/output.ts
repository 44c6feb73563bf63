import { styleText } from 'node:util';
import type { Io, Writable } from '../io.ts';
import { safeJson, safeLine, safeLines } from './safe-text.ts';
import { type Cell, type Column, fieldLines, tableLines } from './table.ts';

/** Output of a command: results as a JSON document or lines on standard output, everything else on standard error. */
export type Output = {
  readonly json: boolean;
  readonly paint: Paint;
  document: (json: string) => void;
  line: (text?: string) => void;
  fields: (fields: readonly (readonly [string, Cell])[]) => void;
  table: (columns: readonly Column[], rows: readonly (readonly Cell[])[]) => void;
  /** Written unchanged, without a line break: text of a stream that was made safe. */
  raw: (text: string) => void;
  /** A hint or progress, for people: omitted with --json. */
  note: (text: string) => void;
  /** A warning, also with --json. */
  warn: (text: string) => void;
};

/** An agent's answer for people: text unchanged, JSON indented. */
export function showBody(body: unknown, out: Output): void {
  out.line(typeof body === 'string' ? safeLines(body) : safeJson(JSON.stringify(body, null, 2)));
}

export function createOutput(io: Pick<Io, 'stdout' | 'stderr' | 'env'>, json: boolean): Output {
  const paint = painter(wantsColour(io.stdout, io.env));
  const paintError = painter(wantsColour(io.stderr, io.env));
  const line = (text = ''): void => void io.stdout.write(`${text}\n`);
  const dim = (text: string): string => paint('dim', text);
  return {
    json,
    paint,
    document: (document) => line(safeJson(document.trim())),
    line,
    fields: (fields) => fieldLines(fields, dim).forEach((text) => line(text)),
    table: (columns, rows) => tableLines(columns, rows, dim).forEach((text) => line(text)),
    raw: (text) => void io.stdout.write(text),
    note: (text) => {
      if (!json) io.stderr.write(`${paintError('dim', safeLine(text))}\n`);
    },
    warn: (text) => void io.stderr.write(`${paintError('yellow', 'Warning:')} ${safeLine(text)}\n`),
  };
}

export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan';
type Paint = (style: Style, text: string) => string;

/** Whether a stream gets colours: FORCE_COLOR decides if set (0 and false: none), then a non-empty NO_COLOR (no-color.org), then the terminal. */
export function wantsColour(
  stream: Pick<Writable, 'isTTY'>,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false';
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false;
  return stream.isTTY === true && env['TERM'] !== 'dumb';
}

export function painter(coloured: boolean): Paint {
  return coloured ? (style, text) => styleText(style, text, { validateStream: false }) : (_style, text) => text;
}
