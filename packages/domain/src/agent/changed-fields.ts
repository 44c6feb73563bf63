import type { AgentConfiguration, ConfigurationField } from '@agent-trust/contracts';

/** Names of the fields in which two configurations differ, in the order of the first one's fields. */
export function changedFields(before: AgentConfiguration, after: AgentConfiguration): ConfigurationField[] {
  return (Object.keys(before) as ConfigurationField[]).filter((field) => !isSame(before[field], after[field]));
}

/** Equality of JSON values. The order of an object's members is no difference: a log may keep another than the one it was given. */
const isSame = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSame(left[key], right[key]))
  );
};
