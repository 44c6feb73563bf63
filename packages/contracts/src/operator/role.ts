import { z } from 'zod';

/**
 * What an operator may do, each with all that the one before it may: a viewer reads what operators can read; an operator keeps the registry in
 * order (suspend, disable, retire, void, vouch); an admin decides over keys, personal data and organisations, and acts as any owner.
 */
export const operatorRole = z.enum(['viewer', 'operator', 'admin']);
export type OperatorRole = z.infer<typeof operatorRole>;

/** Whether a role includes all that another one may do. */
export function includesRole(has: OperatorRole, needed: OperatorRole): boolean {
  const ascending = operatorRole.options;
  return ascending.indexOf(has) >= ascending.indexOf(needed);
}
