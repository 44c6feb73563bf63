import type { JsonSchema } from '../http/openapi-schemas.ts';

/** What stands beside one page of a list: over HTTP its headers tell it. */
export type Page = { total: number; next_offset: number | null };

export const pageFields: Record<keyof Page, JsonSchema> = {
  total: { type: 'integer', description: 'Number of entries in all pages.' },
  next_offset: {
    anyOf: [{ type: 'integer' }, { type: 'null' }],
    description: 'The offset of the next page; null on the last.',
  },
};
