/** A JSON object whose members nobody has looked at. */
export type Members = Readonly<Record<string, unknown>>;

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member by its name, in camel case as cards have it or in snake case as some servers write it; null counts as absent. */
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

/** The objects of a list, of its first `entriesMax` entries; none where it is no list. */
export function objectsOf(members: Members, name: string, entriesMax: number): Members[] {
  const value = memberOf(members, name);
  return Array.isArray(value) ? value.slice(0, entriesMax).filter(isMembers) : [];
}

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
