/** A JSON Schema with its references resolved on demand. */
export type Schema = Readonly<Record<string, unknown>>;
export type Definitions = Readonly<Record<string, Schema>>;
/** A place in both documents. `compared` holds the pairs of named schemas that were compared before: a fault of them is reported once. */
export type Place = {
  readonly at: string;
  readonly was: Definitions;
  readonly now: Definitions;
  readonly compared: Set<string>;
};

/** What may be sent: everything that was valid must still be. What is received: everything that was promised must still be. */
export type Direction = 'sent' | 'received';

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const mapOf = (value: unknown): Readonly<Record<string, Schema>> =>
  isObject(value) ? (value as Record<string, Schema>) : {};

/** The schema itself instead of a reference to it, and one schema instead of several that all hold. */
const resolved = (schema: Schema, definitions: Definitions): Schema => {
  const { $ref, allOf, ...rest } = schema;
  const parts = listOf(allOf) as Schema[];
  if (typeof $ref === 'string') {
    const target = definitions[$ref];
    if (target === undefined) throw new Error(`${$ref} is not defined`);
    parts.unshift(target);
  }
  return parts.length === 0 ? rest : [...parts.map((part) => resolved(part, definitions)), rest].reduce(both);
};

const both = (one: Schema, other: Schema): Schema => {
  const [properties, further] = [mapOf(one['properties']), mapOf(other['properties'])];
  const names = [...new Set([...Object.keys(properties), ...Object.keys(further)])];
  return {
    ...one,
    ...other,
    ...(names.length === 0
      ? {}
      : { properties: Object.fromEntries(names.map((name) => [name, { ...properties[name], ...further[name] }])) }),
    ...('required' in one || 'required' in other
      ? { required: [...listOf(one['required']), ...listOf(other['required'])] }
      : {}),
  };
};

/** The schemas of which a value matches one. A list of types counts as one schema for each. */
const alternatives = (schema: Schema, definitions: Definitions): Schema[] => {
  const whole = resolved(schema, definitions);
  const { anyOf, oneOf, type, ...rest } = whole;
  const options = [...listOf(anyOf), ...listOf(oneOf)] as Schema[];
  if (options.length > 0)
    return options.flatMap((option) =>
      alternatives({ ...(type === undefined ? {} : { type }), ...rest, ...resolved(option, definitions) }, definitions),
    );
  return Array.isArray(type) ? type.map((one) => ({ ...rest, type: one })) : [whole];
};

const kindOf = (schema: Schema): string => {
  const { type, enum: words, const: word } = schema;
  if (typeof type === 'string') return type === 'integer' ? 'number' : type;
  const [example] = word === undefined ? listOf(words) : [word];
  if (example === null) return 'null';
  return example === undefined ? 'anything' : Array.isArray(example) ? 'array' : typeof example;
};

/** The fixed values of a schema as JSON; null if it has none. */
const wordsOf = (schema: Schema): Set<string> | null => {
  if ('const' in schema) return new Set([JSON.stringify(schema['const'])]);
  return Array.isArray(schema['enum']) ? new Set(schema['enum'].map((word) => JSON.stringify(word))) : null;
};

/** Limits of which a larger value allows more, and those of which a smaller one does. */
const upperLimits = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems', 'maxProperties'];
const lowerLimits = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties'];
/** Rules on the form of a value, of which only the absence allows more for certain. */
const forms = ['pattern', 'format', 'multipleOf', 'uniqueItems', 'propertyNames', 'not', 'contentEncoding'];

/** What a schema breaks for those who know the released one, in sentences. */
export function schemaBreaks(was: Schema, now: Schema, direction: Direction, place: Place): string[] {
  if (typeof was['$ref'] === 'string' && typeof now['$ref'] === 'string') {
    const pair = JSON.stringify([was, now, direction]);
    if (place.compared.has(pair)) return [];
    place.compared.add(pair);
  }
  const before = alternatives(was, place.was);
  const after = alternatives(now, place.now);
  // What has to be covered by the other side: all that could be sent, or all that can now be received.
  const [covered, covering] = direction === 'sent' ? [before, after] : [after, before];
  return covered.flatMap((one) => {
    const candidates = covering.filter((other) => kindOf(other) === kindOf(one) || kindOf(other) === 'anything');
    if (candidates.length === 0) {
      if (kindOf(one) === 'anything' && direction === 'received') return [`${place.at} may now be anything`];
      return [
        direction === 'sent'
          ? `${place.at} no longer takes a value of type ${kindOf(one)}`
          : `${place.at} may now be of type ${kindOf(one)}`,
      ];
    }
    const faults = candidates.map((other) =>
      direction === 'sent'
        ? alternativeBreaks(one, other, direction, place)
        : alternativeBreaks(other, one, direction, place),
    );
    // The alternative that fits best is the one that is meant.
    return faults.toSorted((a, b) => a.length - b.length)[0] ?? [];
  });
}

const alternativeBreaks = (was: Schema, now: Schema, direction: Direction, place: Place): string[] => [
  ...wordBreaks(was, now, direction, place),
  ...(direction === 'sent' ? limitBreaks(was, now, place) : []),
  ...(kindOf(was) === 'object' ? objectBreaks(was, now, direction, place) : []),
  ...(kindOf(was) === 'array' && isObject(now['items'])
    ? schemaBreaks(mapOf(was)['items'] ?? {}, now['items'], direction, { ...place, at: `${place.at}[]` })
    : []),
  ...(was['type'] === 'integer' && now['type'] === 'number' && direction === 'received'
    ? [`${place.at} may now be a fraction`]
    : []),
  ...(was['type'] === 'number' && now['type'] === 'integer' && direction === 'sent'
    ? [`${place.at} no longer takes a fraction`]
    : []),
];

/**
 * A value that was released stays: it may be sent as before, and it goes on to be among those that readers know. New values of an answer are
 * announced as possible (docs/upgrades.md), so they break nothing; free text in the place of fixed values does.
 */
const wordBreaks = (was: Schema, now: Schema, direction: Direction, { at }: Place): string[] => {
  const [before, after] = [wordsOf(was), wordsOf(now)];
  if (before === null)
    return after !== null && direction === 'sent' ? [`${at} now takes ${[...after].join(', ')} only`] : [];
  if (after === null) return direction === 'received' ? [`${at} is no longer one of ${[...before].join(', ')}`] : [];
  const lost = [...before].filter((word) => !after.has(word));
  return lost.length > 0 ? [`${at} has lost the value ${lost.join(', ')}`] : [];
};

const limitBreaks = (was: Schema, now: Schema, { at }: Place): string[] => {
  const tightened = (name: string, isTighter: (now: number, was: number) => boolean): boolean => {
    const [before, after] = [was[name], now[name]];
    return typeof after === 'number' && (typeof before !== 'number' || isTighter(after, before));
  };
  return [
    ...upperLimits.filter((name) => tightened(name, (a, b) => a < b)),
    ...lowerLimits.filter((name) => tightened(name, (a, b) => a > b)),
    ...forms.filter((name) => now[name] !== undefined && JSON.stringify(now[name]) !== JSON.stringify(was[name])),
  ].map(
    (name) => `${at}: ${name} is now ${JSON.stringify(now[name])} instead of ${JSON.stringify(was[name]) ?? 'absent'}`,
  );
};

const objectBreaks = (was: Schema, now: Schema, direction: Direction, place: Place): string[] => {
  const [before, after] = [mapOf(was['properties']), mapOf(now['properties'])];
  const [neededBefore, neededNow] = [listOf(was['required']), listOf(now['required'])].map((list) => new Set(list));
  const faults: string[] = [];
  for (const [name, schema] of Object.entries(before)) {
    const inside = { ...place, at: `${place.at}.${name}` };
    const current = after[name];
    if (current === undefined) {
      faults.push(`${inside.at} is gone`);
      continue;
    }
    faults.push(...schemaBreaks(schema, current, direction, inside));
    if (direction === 'sent' && neededNow?.has(name) === true && neededBefore?.has(name) !== true)
      faults.push(`${inside.at} is now required`);
    if (direction === 'received' && neededBefore?.has(name) === true && neededNow?.has(name) !== true)
      faults.push(`${inside.at} may now be absent`);
  }
  if (direction === 'sent')
    for (const name of Object.keys(after))
      if (before[name] === undefined && neededNow?.has(name) === true)
        faults.push(`${place.at}.${name} is new and required`);
  const [othersBefore, othersNow] = [was['additionalProperties'], now['additionalProperties']];
  if (isObject(othersBefore) && isObject(othersNow))
    faults.push(...schemaBreaks(othersBefore, othersNow, direction, { ...place, at: `${place.at}.*` }));
  else if (direction === 'sent' && othersBefore !== false && othersNow === false)
    faults.push(`${place.at} no longer takes other members`);
  return faults;
};
