import { z } from 'zod';

type SnakeCase<Name> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Tail>}`
  : '';

/** What `onWire` makes of a schema. */
export type OnWire<Schema> =
  Schema extends z.ZodObject<infer Shape>
    ? z.ZodObject<{ -readonly [Name in keyof Shape as SnakeCase<Name>]: OnWire<Shape[Name]> }>
    : Schema extends z.ZodNullable<infer Inner>
      ? z.ZodNullable<OnWire<Inner> & z.ZodType>
      : Schema extends z.ZodArray<infer Item>
        ? z.ZodArray<OnWire<Item> & z.ZodType>
        : Schema;

/** A name of the code's, `trustScore`, as it stands on the wire: `trust_score`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * A view as it stands on the wire: the same fields under snake_case names, in objects, lists and nullable values at any depth. The keys of a
 * record are data and stay. This is the one place that maps names of the code to the wire's.
 */
export function onWire<Schema extends z.ZodType>(schema: Schema): OnWire<Schema> {
  return wireFormOf(schema).schema as OnWire<Schema>;
}

/** A value of a view in its form on the wire. Fields that the view does not declare are left out. */
export function toWire<Schema extends z.ZodType>(schema: Schema, value: z.output<Schema>): z.output<OnWire<Schema>> {
  return wireFormOf(schema).convert(value) as z.output<OnWire<Schema>>;
}

type WireForm = { schema: z.ZodType; convert: (value: unknown) => unknown };
const forms = new WeakMap<z.ZodType, WireForm>();

const wireFormOf = (schema: z.ZodType): WireForm => {
  const known = forms.get(schema);
  if (known !== undefined) return known;
  const { schema: renamed, convert } = renamedFormOf(schema);
  const meta = schema.meta();
  const form = { schema: renamed === schema || meta === undefined ? renamed : renamed.meta(meta), convert };
  forms.set(schema, form);
  return form;
};

const renamedFormOf = (schema: z.ZodType): WireForm => {
  if (schema instanceof z.ZodNullable) {
    const inner = schema.unwrap() as z.ZodType;
    const form = wireFormOf(inner);
    if (form.schema === inner) return unchanged(schema);
    return { schema: form.schema.nullable(), convert: (value) => (value === null ? null : form.convert(value)) };
  }
  if (schema instanceof z.ZodArray) {
    const item = schema.element as z.ZodType;
    const form = wireFormOf(item);
    if (form.schema === item) return unchanged(schema);
    return { schema: z.array(form.schema), convert: (value) => (value as unknown[]).map(form.convert) };
  }
  return schema instanceof z.ZodObject ? objectFormOf(schema) : unchanged(schema);
};

const objectFormOf = (schema: z.ZodObject): WireForm => {
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, field]) => {
    const { schema: wireField, convert } = wireFormOf(field);
    return { name, field, wireName: snakeCase(name), wireField, convert };
  });
  if (fields.every(({ name, field, wireName, wireField }) => name === wireName && field === wireField))
    return unchanged(schema);
  return {
    schema: z.object(Object.fromEntries(fields.map(({ wireName, wireField }) => [wireName, wireField]))),
    convert: (value) => {
      const converted: Record<string, unknown> = {};
      for (const { name, wireName, convert } of fields)
        converted[wireName] = convert((value as Record<string, unknown>)[name]);
      return converted;
    },
  };
};

const unchanged = (schema: z.ZodType): WireForm => ({ schema, convert: (value) => value });
