import type { Io } from '../io.ts';
import { painter, type Paint, wantsColour } from './colour.ts';
import { safeJson, safeLine } from './safe-text.ts';
import { type Cell, type Column, fieldLines, tableLines } from './table.ts';

/** Where a command says what it found: a JSON document or lines on standard output, everything else on standard error. */
export type Output = {
  readonly json: boolean;
  readonly paint: Paint;
  /** A JSON document as it is, on one line of its own. */
  document: (json: string) => void;
  line: (text?: string) => void;
  fields: (fields: readonly (readonly [string, Cell])[]) => void;
  table: (columns: readonly Column[], rows: readonly (readonly Cell[])[]) => void;
  /** Written as it is, without a line break: text that came as a stream and was made safe. */
  raw: (text: string) => void;
  /** A hint or progress, for people: nothing with --json. */
  note: (text: string) => void;
  /** A warning, with --json too. */
  warn: (text: string) => void;
};

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
