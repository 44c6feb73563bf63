import { z } from 'zod';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/u;

/** The name of a key: it is in the log for ever, and stands in paths beside ids. */
export const keyName: z.ZodString = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._@-]{0,63}$/u, {
    message: 'must be 1 to 64 of a-z, 0-9, ".", "_", "@" and "-", and begin with a letter or digit',
  })
  .refine((name) => !uuid.test(name), { message: 'must not have the form of an id' });
