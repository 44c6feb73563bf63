import type { Io } from '../io.ts';
import { painter, type Paint, wantsColour } from './colour.ts';
import { safeJson, safeLine } from './safe-text.ts';
import { type Cell, type Column, fieldLines, tableLines } from './table.ts';

/** Output of a command: results as a JSON document or lines on standard output, everything else on standard error. */
export type Output = {
  readonly json: boolean;
  readonly paint: Paint;
  /** A JSON document unchanged, on one line. */
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
