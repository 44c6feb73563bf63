import { z } from 'zod';
import { errorBody } from '../errors.ts';
import { usageKind } from './usage-kind.ts';

/** What a refusal with the status 429 says of the limit of an organisation; absent on refusals for another reason. */
const quotaFields = z.object({
  quota: usageKind.describe('Of what the organisation has made as many requests as it may.'),
  limit: z.int().describe('How many it may make in a UTC day.'),
  used: z.int().describe('How many it has made, with those that are set aside for other gateways.'),
  resets_at: z.string().describe('When the next UTC day begins, RFC 3339.'),
});
export type QuotaFields = z.infer<typeof quotaFields>;

export const quotaRefusal = errorBody
  .extend(quotaFields.partial().shape)
  .meta({ id: 'QuotaRefusal', description: 'A refusal that may name the limit of an organisation.' });

export const exampleQuota: QuotaFields = {
  quota: 'calls',
  limit: 10_000,
  used: 10_000,
  resets_at: '2026-01-16T00:00:00.000Z',
};
