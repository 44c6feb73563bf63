import { isUtf8 } from 'node:buffer';
import { importLimits } from './limits.ts';

/** An address of the agent in its card. */
export type CardInterface = { url: string; transport: string };

/** The parts of a card that a registration can use, for all versions of A2A. Texts are cleaned, addresses are not. */
export type Card = {
  /** The version whose form the card has; the newest of several. */
  line: '0.2' | '0.3' | '1.0';
  name: string;
  description: string | null;
  organization: string | null;
  skills: Members[];
  /** The number of all skills, including unread ones. */
  skillCount: number;
  /** In the card's order of preference. */
  interfaces: CardInterface[];
  /** Members that were left out for a wrong type. */
  malformed: string[];
};

/** The types of the members that are read. */
const expected: Readonly<Record<string, (value: unknown) => boolean>> = {
  description: (value) => typeof value === 'string',
  url: (value) => typeof value === 'string',
  preferredTransport: (value) => typeof value === 'string',
  provider: isMembers,
  skills: Array.isArray,
  supportedInterfaces: Array.isArray,
  additionalInterfaces: Array.isArray,
};

/**
 * Reads an agent card of A2A 0.2, 0.3 or 1.0, and tolerates common mistakes: members of a wrong type are left out and named, absent ones
 * are ignored. A card has a name, and an address or skills.
 * @returns the card, or why the bytes are none, without any word of the document.
 */
export function readCard(bytes: Uint8Array): Card | string {
  const json = parseJson(bytes);
  if (!isMembers(json)) return json === undefined ? 'it is not JSON in UTF-8' : 'it is not a JSON object';
  const name = shownText(textOf(json, 'name') ?? '');
  if (name === '') return 'it has no name';
  const interfaces = interfacesOf(json);
  const skills = objectsOf(json, 'skills', importLimits.skillsMax);
  if (interfaces.length === 0 && skills.length === 0) return 'it has neither an address nor skills';
  const provider = memberOf(json, 'provider');
  const listed = memberOf(json, 'skills');
  return {
    line: lineOf(json),
    name,
    description: nullIfBlank(textOf(json, 'description')),
    organization: isMembers(provider) ? nullIfBlank(textOf(provider, 'organization')) : null,
    skills,
    skillCount: Array.isArray(listed) ? listed.length : 0,
    interfaces,
    malformed: Object.entries(expected).flatMap(([member, isRight]) => {
      const value = memberOf(json, member);
      return value === undefined || isRight(value) ? [] : [member];
    }),
  };
}

const parseJson = (bytes: Uint8Array): unknown => {
  if (!isUtf8(bytes)) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
};

/** A2A 1.0 lists its interfaces; earlier versions have one address and optional others. A card may have both forms. */
const interfacesOf = (card: Members): CardInterface[] => [
  ...listedInterfaces(card, 'supportedInterfaces', 'protocolBinding'),
  ...interfaceAt(card, 'preferredTransport'),
  ...listedInterfaces(card, 'additionalInterfaces', 'transport'),
];

const listedInterfaces = (card: Members, list: string, transport: string): CardInterface[] =>
  objectsOf(card, list, importLimits.interfacesMax).flatMap((entry) => interfaceAt(entry, transport));

const interfaceAt = (members: Members, transport: string): CardInterface[] => {
  const url = textOf(members, 'url')?.trim() ?? '';
  return url === '' ? [] : [{ url, transport: textOf(members, transport) ?? 'JSONRPC' }];
};

const lineOf = (card: Members): Card['line'] => {
  if (objectsOf(card, 'supportedInterfaces', importLimits.interfacesMax).length > 0) return '1.0';
  const version = textOf(card, 'protocolVersion') ?? '';
  if (/^1\.\d/u.test(version)) return '1.0';
  return /^0\.3(\D|$)/u.test(version) || textOf(card, 'preferredTransport') !== undefined ? '0.3' : '0.2';
};

const nullIfBlank = (text: string | undefined): string | null => {
  const shown = shownText(text ?? '');
  return shown === '' ? null : shown;
};

/** An unchecked JSON object. */
export type Members = Readonly<Record<string, unknown>>;

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member by its name, in camel case, or in snake case as some servers write it; null counts as absent. */
export function memberOf(members: Members, name: string): unknown {
  for (const spelling of [name, snakeCase(name)]) {
    if (Object.hasOwn(members, spelling) && members[spelling] !== null) return members[spelling];
  }
  return undefined;
}

export function textOf(members: Members, name: string): string | undefined {
  const value = memberOf(members, name);
  return typeof value === 'string' ? value : undefined;
}

/** The objects among the first `entriesMax` entries of a list; empty if it is no list. */
function objectsOf(members: Members, name: string, entriesMax: number): Members[] {
  const value = memberOf(members, name);
  return Array.isArray(value) ? value.slice(0, entriesMax).filter(isMembers) : [];
}

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);

/**
 * A card's text as it may be stored and shown: one line without invisible characters. Control characters move a terminal's cursor, format
 * characters turn or hide text (bidirectional overrides, zero-width letters, tags).
 */
export function shownText(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\p{Z}\t-\r\u0085]+/gu, ' ')
    .replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replaceAll(/ {2,}/gu, ' ')
    .trim();
}

/** At most `charsMax` code points, with an ellipsis if shortened. */
export function cut(text: string, charsMax: number): string {
  const points = Array.from(text);
  return points.length <= charsMax ? text : `${points.slice(0, charsMax - 1).join('')}…`;
}

/** A card's text inside our own: short, quoted and escaped. */
export function quoted(text: string): string {
  return JSON.stringify(cut(shownText(text), importLimits.quotedCharsMax));
}
