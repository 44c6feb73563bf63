import type { TrustPolicies, TrustPolicy } from '@agent-trust/client';

/** A constant of a policy, as the schema describes it: a number, one of a few words, or a list of names. */
export type ConstantField = { name: string; hint: string } & (
  | { kind: 'number'; min: number | undefined; max: number | undefined; isWhole: boolean }
  | { kind: 'choice'; words: string[] }
  | { kind: 'names' }
);

type JsonSchema = {
  type?: unknown;
  minimum?: unknown;
  maximum?: unknown;
  description?: unknown;
  enum?: unknown;
  properties?: Record<string, JsonSchema>;
};

const numberOr = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** The form's fields for the constants, from the JSON Schema that the registry gives for its policies. What it does not know is left out, and stays. */
export function fieldsOf(schema: TrustPolicies['schema']): ConstantField[] {
  const constants = (schema as JsonSchema).properties?.['constants']?.properties ?? {};
  return Object.entries(constants).flatMap(([name, described]): ConstantField[] => {
    const { type, minimum, maximum, description } = described;
    const named = { name, hint: typeof description === 'string' ? description : '' };
    if (type === 'number' || type === 'integer') {
      const [min, max] = [numberOr(minimum), numberOr(maximum)];
      return [{ ...named, kind: 'number', min, max, isWhole: type === 'integer' }];
    }
    if (Array.isArray(described.enum)) return [{ ...named, kind: 'choice', words: described.enum.map(String) }];
    return type === 'array' ? [{ ...named, kind: 'names' }] : [];
  });
}

/** What the form holds: texts, until it is sent. A list has a name on each line. */
export type Draft = {
  name: string;
  constants: Record<string, string>;
  priors: { verified: string; unverified: string } | null;
};

/** A draft that begins as a policy under another name: constants are changed under a new name alone. */
export function draftOf({ name, constants, priors }: TrustPolicy): Draft {
  return {
    name: `${name}-draft`,
    constants: Object.fromEntries(
      Object.entries(constants).map(([constant, value]) => [
        constant,
        Array.isArray(value) ? value.join('\n') : String(value),
      ]),
    ),
    priors: priors === null ? null : { verified: String(priors.verified), unverified: String(priors.unverified) },
  };
}

/** The policy of a draft. The registry checks every range; a text that is no number becomes one that it refuses. */
export function policyOf({ name, constants, priors }: Draft, base: TrustPolicy): TrustPolicy {
  const changed = Object.fromEntries(
    Object.entries(base.constants).map(([constant, value]) => [constant, valueOf(constants[constant], value)]),
  );
  const named = { ...base, name: name.trim(), constants: { ...base.constants, ...changed } } as TrustPolicy;
  if (named.formula === 'v2') return named;
  return {
    ...named,
    priors: priors === null ? null : { verified: numberOf(priors.verified), unverified: numberOf(priors.unverified) },
  };
}

/** A text as a value of the kind that the policy had. */
const valueOf = (text: string | undefined, before: unknown): unknown => {
  if (text === undefined) return before;
  if (typeof before === 'number') return numberOf(text);
  if (!Array.isArray(before)) return text;
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
};

/** Below every range of the schema. */
const refused = -1;
const numberOf = (text: string): number => {
  const number = Number(text.trim());
  return text.trim() === '' || !Number.isFinite(number) ? refused : number;
};
