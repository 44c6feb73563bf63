import type { RegistryAccess, Context } from '../program/context.ts';

/** Reading needs no credential; --sandbox reads the organisation's sandbox. */
export function readAs(context: Context): Promise<RegistryAccess> {
  return context.registry(context.global.sandbox === true ? ['sandbox'] : ['none']);
}
