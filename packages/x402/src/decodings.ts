/** Shorter texts in the base64 alphabet are words. */
const base64CharsMin = 8;

/** HTML's names of the punctuation in addresses. */
const namedEntities: Readonly<Record<string, string>> = {
  amp: '&',
  colon: ':',
  lpar: '(',
  nbsp: ' ',
  period: '.',
  quot: '"',
  sol: '/',
};

const codePointMax = 0x10_ff_ff;

const fromHex = (_: string, hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));

const fromEntity = (entity: string, hex: string | undefined, digits: string | undefined, name: string): string => {
  if (hex === undefined && digits === undefined) return namedEntities[name.toLowerCase()] ?? entity;
  const code = hex === undefined ? Number.parseInt(digits ?? '', 10) : Number.parseInt(hex, 16);
  return code <= codePointMax ? String.fromCodePoint(code) : entity;
};

/** The text without its escapes. All kinds at once: one text per kind would multiply the texts to search at each level. */
export function unescaped(text: string): string {
  let plain = text;
  // Decoded one by one, so that a broken escape does not hide the others.
  if (plain.includes('%')) plain = plain.replaceAll(/%([0-9a-f]{2})/giu, fromHex);
  if (plain.includes('\\')) {
    plain = plain
      .replaceAll(/\\u([0-9a-f]{4})/giu, fromHex)
      .replaceAll(/\\x([0-9a-f]{2})/giu, fromHex)
      .replaceAll('\\/', '/');
  }
  // Pages with unterminated entities are displayed the same way.
  if (plain.includes('&')) {
    plain = plain.replaceAll(/&(?:#x([0-9a-f]{1,8})|#(\d{1,10})|([a-z]{2,6}));?/giu, fromEntity);
  }
  // UTF-16 that was read as another encoding.
  return plain.replaceAll('\0', '');
}

/** Separates texts, so that nothing matches across two of them: neither punctuation nor a word of base64's length. */
const apart = '\nand\n';

/** All possible base64 in a text, decoded, as one text: searching each long word of a page separately would take many times as long. */
const base64In = (text: string): string => {
  const tokens = new Set<string>();
  // Both alphabets: in a path, the slash of the standard one is a separator.
  for (const alphabet of [/[A-Za-z0-9+/]+/gu, /[\w-]+/gu]) {
    for (const [token] of text.matchAll(alphabet)) if (token.length >= base64CharsMin) tokens.add(token);
  }
  return [...tokens].map((token) => Buffer.from(token, 'base64').toString('utf8')).join(apart);
};

/** The text decoded in each possible way (percent-encoding, escapes of JSON and HTML, base64); without the text itself. */
export function decodingsOf(text: string): string[] {
  return [unescaped(text), base64In(text)].filter((decoded) => decoded !== text && decoded !== '');
}
