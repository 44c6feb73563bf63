/**
 * Text of others, made safe for a terminal: control characters and escape sequences could move the cursor, rewrite lines or send input, and
 * bidirectional controls change the visible order. They are replaced by their code points.
 */

// C0 and C1 controls, line and paragraph separators, bidirectional controls, invisible characters, tags, unpaired surrogates.
const unsafe =
  /[\p{Cc}\p{Cs}\u2028\u2029\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

const shown = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
};

/** One line without anything that a terminal acts on. */
export function safeLine(text: string): string {
  return text.replace(unsafe, shown);
}

/** Several lines: line breaks and tabs stay. */
export function safeLines(text: string): string {
  return text.replace(unsafe, (character) => (character === '\n' || character === '\t' ? character : shown(character)));
}

const jsonEscape = (character: string): string =>
  [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');

/** The same JSON document, with such characters inside its strings escaped. White space between its tokens stays. */
export function safeJson(json: string): string {
  return json.replace(unsafe, (character) => (/[\n\r\t]/u.test(character) ? character : jsonEscape(character)));
}

/** A word for a POSIX shell, quoted where it needs to be. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
