import type { Asked, Context } from '../program/context.ts';

/** Reading needs no credential; with --sandbox the organisation's sandbox is looked at. */
export const readAs = (context: Context): Promise<Asked> =>
  context.registry(context.global.sandbox === true ? ['sandbox'] : ['none']);
