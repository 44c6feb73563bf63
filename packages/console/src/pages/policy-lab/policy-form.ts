import type { TrustPolicies, TrustPolicy } from '@agent-trust/client';

/** A number of a policy, as the schema describes it. */
export type NumberField = {
  name: string;
  min: number | undefined;
  max: number | undefined;
  isWhole: boolean;
  hint: string;
};

type JsonSchema = {
  type?: unknown;
  minimum?: unknown;
  maximum?: unknown;
  description?: unknown;
  properties?: Record<string, JsonSchema>;
};

const numberOr = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** The form's fields for the constants, from the JSON Schema that the registry gives for its policies. */
export function fieldsOf(schema: TrustPolicies['schema']): NumberField[] {
  const constants = (schema as JsonSchema).properties?.['constants']?.properties ?? {};
  const numbers = Object.entries(constants).filter(([, { type }]) => type === 'number' || type === 'integer');
  return numbers.map(([name, { type, minimum, maximum, description }]) => ({
    name,
    min: numberOr(minimum),
    max: numberOr(maximum),
    isWhole: type === 'integer',
    hint: typeof description === 'string' ? description : '',
  }));
}

/** What the form holds: texts, until it is sent. */
export type Draft = {
  name: string;
  constants: Record<string, string>;
  priors: { verified: string; unverified: string } | null;
};

/** A draft that begins as a policy under another name: constants are changed under a new name alone. Those that are no numbers stay. */
export function draftOf({ name, constants, priors }: TrustPolicy): Draft {
  const numbers = Object.entries(constants).filter(([, value]) => typeof value === 'number');
  return {
    name: `${name}-draft`,
    constants: Object.fromEntries(numbers.map(([constant, value]) => [constant, String(value)])),
    priors: priors === null ? null : { verified: String(priors.verified), unverified: String(priors.unverified) },
  };
}

/** The policy of a draft. The registry checks every range; a text that is no number becomes one that it refuses. */
export function policyOf({ name, constants, priors }: Draft, base: TrustPolicy): TrustPolicy {
  const numbers = Object.fromEntries(Object.entries(constants).map(([constant, text]) => [constant, numberOf(text)]));
  if (base.formula === 'v2') return { ...base, name: name.trim(), constants: { ...base.constants, ...numbers } };
  return {
    ...base,
    name: name.trim(),
    constants: { ...base.constants, ...numbers },
    priors: priors === null ? null : { verified: numberOf(priors.verified), unverified: numberOf(priors.unverified) },
  };
}

/** Below every range of the schema. */
const refused = -1;
const numberOf = (text: string): number => {
  const number = Number(text.trim());
  return text.trim() === '' || !Number.isFinite(number) ? refused : number;
};
