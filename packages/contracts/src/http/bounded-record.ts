import { z } from 'zod';

/**
 * A map from names to `value` with at most `entriesMax` entries. The count is taken before any entry is looked at:
 * a body may hold a million of them, and checking each would keep the process busy for seconds.
 */
export function boundedRecord<Key extends z.ZodString, Value extends z.ZodType>(
  key: Key,
  value: Value,
  entriesMax: number,
): z.ZodPipe<z.ZodUnknown, z.ZodRecord<Key, Value>> {
  return z
    .unknown()
    .refine(isJsonObject, { message: 'must be an object', abort: true })
    .refine((candidate) => hasAtMost(candidate as object, entriesMax), {
      message: `must have at most ${entriesMax} entries`,
    })
    .meta({
      type: 'object',
      additionalProperties: describe(value),
      maxProperties: entriesMax,
    })
    .pipe(z.record(key, value));
}

/** An object of any size and content; nothing in it is looked at. */
export const anyJsonObject: z.ZodUnknown = z
  .unknown()
  .refine(isJsonObject, { message: 'must be an object' })
  .meta({ type: 'object', additionalProperties: true });

/** JSON Schema of what a value may be on input. A pipe shows its first half only, so the entries are described by hand. */
function describe(value: z.ZodType): object {
  const { $schema: _, ...schema } = z.toJSONSchema(value, { io: 'input' });
  return schema;
}

function isJsonObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const hasAtMost = (candidate: object, entriesMax: number): boolean => {
  let entries = 0;
  for (const _ in candidate) {
    entries += 1;
    if (entries > entriesMax) return false;
  }
  return true;
};
