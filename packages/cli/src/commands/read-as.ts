import type { Asked, Context } from '../program/context.ts';

/** Reading needs no credential; --sandbox reads the organisation's sandbox. */
export function readAs(context: Context): Promise<Asked> {
  return context.registry(context.global.sandbox === true ? ['sandbox'] : ['none']);
}
