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
      : Schema extends z.ZodOptional<infer Inner>
        ? z.ZodOptional<OnWire<Inner> & z.ZodType>
        : Schema extends z.ZodDefault<infer Inner>
          ? z.ZodDefault<OnWire<Inner> & z.ZodType>
          : Schema extends z.ZodArray<infer Item>
            ? z.ZodArray<OnWire<Item> & z.ZodType>
            : Schema;

/** A name of the code's, `trustScore`, as it stands on the wire: `trust_score`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * A view as it stands on the wire: the same fields under snake_case names, in objects, lists, nullable and optional values and those with a default at any depth. The keys of a
 * record are data and stay. This is the one place that maps names of the code to the wire's.
 */
export function onWire<Schema extends z.ZodType>(schema: Schema): OnWire<Schema> {
  return wireFormOf(schema).schema as OnWire<Schema>;
}

/** A value of a view in its form on the wire. Fields that the view does not declare are left out. */
export function toWire<Schema extends z.ZodType>(schema: Schema, value: z.output<Schema>): z.output<OnWire<Schema>> {
  const { convert } = wireFormOf(schema);
  return (convert === undefined ? value : convert(value)) as z.output<OnWire<Schema>>;
}

/** `convert` is absent if the schema is its own form on the wire. */
type WireForm = { schema: z.ZodType; convert?: (value: unknown) => unknown };
const forms = new WeakMap<z.ZodType, WireForm>();

const wireFormOf = (schema: z.ZodType): WireForm => {
  const known = forms.get(schema);
  if (known !== undefined) return known;
  const form = renamedFormOf(schema);
  const meta = schema.meta();
  if (form.convert !== undefined && meta !== undefined) form.schema = form.schema.meta(meta);
  forms.set(schema, form);
  return form;
};

const renamedFormOf = (schema: z.ZodType): WireForm => {
  if (schema instanceof z.ZodNullable) {
    const { schema: inner, convert } = wireFormOf(schema.unwrap() as z.ZodType);
    return convert === undefined
      ? { schema }
      : { schema: inner.nullable(), convert: (value) => (value === null ? null : convert(value)) };
  }
  if (schema instanceof z.ZodOptional) {
    const { schema: inner, convert } = wireFormOf(schema.unwrap() as z.ZodType);
    return convert === undefined
      ? { schema }
      : { schema: inner.optional(), convert: (value) => (value === undefined ? undefined : convert(value)) };
  }
  if (schema instanceof z.ZodDefault) {
    const { schema: inner, convert } = wireFormOf(schema.unwrap() as z.ZodType);
    return convert === undefined ? { schema } : { schema: inner.default(convert(schema.def.defaultValue)), convert };
  }
  if (schema instanceof z.ZodArray) {
    const { schema: item, convert } = wireFormOf(schema.element as z.ZodType);
    return convert === undefined
      ? { schema }
      : { schema: z.array(item), convert: (value) => (value as unknown[]).map(convert) };
  }
  return schema instanceof z.ZodObject ? objectFormOf(schema) : { schema };
};

const objectFormOf = (schema: z.ZodObject): WireForm => {
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, field]) => {
    const { schema: wireField, convert } = wireFormOf(field);
    return { name, wireName: snakeCase(name), wireField, convert };
  });
  if (fields.every(({ name, wireName, convert }) => name === wireName && convert === undefined)) return { schema };
  return {
    schema: z.object(Object.fromEntries(fields.map(({ wireName, wireField }) => [wireName, wireField]))),
    convert: (value) => {
      const converted: Record<string, unknown> = {};
      for (const { name, wireName, convert } of fields) {
        const member = (value as Record<string, unknown>)[name];
        if (member === undefined) continue;
        converted[wireName] = convert === undefined ? member : convert(member);
      }
      return converted;
    },
  };
};
