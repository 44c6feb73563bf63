import { importLimits } from './limits.ts';

/**
 * A card's words as they may be stored and shown: one line, without what cannot be seen. Control characters move a terminal's cursor,
 * format characters turn or hide text (bidirectional overrides, zero-width letters, tags), and blanks of every kind become one space.
 */
export function shownText(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\p{Z}\t-\r\u0085]+/gu, ' ')
    .replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replaceAll(/ {2,}/gu, ' ')
    .trim();
}

/** At most so many code points, with an ellipsis for what was cut off. */
export function cut(text: string, charsMax: number): string {
  const points = Array.from(text);
  return points.length <= charsMax ? text : `${points.slice(0, charsMax - 1).join('')}…`;
}

/** A card's words inside words of our own: short, in quotation marks, with those in them escaped. */
export function quoted(text: string): string {
  return JSON.stringify(cut(shownText(text), importLimits.quotedCharsMax));
}
