import { safeLine } from './safe-text.ts';

/** Longest text of one cell; texts of agents may be much longer. */
const cellCharsMax = 48;

/** One cell, made safe and short. `paint` colours it after padding, because escape sequences have no width. */
export type Cell = string | { text: string; paint?: (text: string) => string };
/** A title; numbers are aligned to the right. */
export type Column = string | { title: string; right: true };
export function right(title: string): Column {
  return { title, right: true };
}

const fit = (text: string, max: number): string => {
  const points = Array.from(safeLine(text));
  return points.length <= max ? points.join('') : `${points.slice(0, max - 1).join('')}…`;
};
const width = (text: string): number => Array.from(text).length;

export type PaintedCell = Exclude<Cell, string>;
const asCell = (cell: Cell): PaintedCell => (typeof cell === 'string' ? { text: cell } : cell);

export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  paintTitle: (text: string) => string,
): string[] {
  const titles = columns.map((column) => (typeof column === 'string' ? column : column.title));
  const shown = rows.map((row) => row.map(asCell).map((cell) => ({ ...cell, text: fit(cell.text, cellCharsMax) })));
  const widths = titles.map((title, at) => Math.max(width(title), ...shown.map((row) => width(row[at]?.text ?? ''))));
  const line = (cells: readonly PaintedCell[]): string =>
    cells
      .map(({ text, paint = (plain) => plain }, at) => {
        const gap = ' '.repeat(Math.max(0, (widths[at] ?? 0) - width(text)));
        return typeof columns[at] === 'object' ? gap + paint(text) : paint(text) + gap;
      })
      .join('  ')
      .trimEnd();
  return [line(titles.map((text) => ({ text, paint: paintTitle }))), ...shown.map(line)];
}

/** Lines `name   value`, names aligned. Values are one line each, made safe. */
export function fieldLines(
  fields: readonly (readonly [string, Cell])[],
  paintName: (text: string) => string,
): string[] {
  const longest = Math.max(0, ...fields.map(([name]) => width(name)));
  return fields.map(([name, value]) => {
    const { text, paint = (plain: string) => plain } = asCell(value);
    return `  ${paintName(name)}${' '.repeat(longest - width(name) + 2)}${paint(safeLine(text))}`;
  });
}
