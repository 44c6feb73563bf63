import { z } from 'zod';

/** Who asked, by which kind of credential; goes into the metadata of every event that the request causes. */
export const actor = z.object({
  kind: z.enum(['anonymous', 'agent', 'organisation', 'admin', 'operator', 'system']),
  id: z.string().nullable(),
});
export type Actor = z.infer<typeof actor>;
