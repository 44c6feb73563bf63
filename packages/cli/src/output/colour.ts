import { styleText } from 'node:util';
import type { Writable } from '../io.ts';

export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan';
export type Paint = (style: Style, text: string) => string;

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
