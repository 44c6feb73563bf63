import type { Asked, Context } from '../program/context.ts';

/** Reading needs no credential; with --sandbox the organisation's sandbox is looked at. */
export function readAs(context: Context): Promise<Asked> {
  return context.registry(context.global.sandbox === true ? ['sandbox'] : ['none']);
}
