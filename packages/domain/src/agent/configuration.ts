import {
  type AgentConfiguration,
  type ConfigurationField,
  type ConfigurationPatch,
  DomainError,
  faultAt,
  type WeightedCapability,
} from '@agent-trust/contracts';

/** The defaults of a registration (specification, "Agent"). */
export const defaultConfiguration: AgentConfiguration = {
  capabilities: [],
  endpointUrl: null,
  protocol: null,
  acceptedTermsFormat: null,
  settlementRail: null,
  httpMethods: null,
  specialty: null,
  priceSchedule: null,
  paymentNetwork: null,
  paymentPayTo: null,
  paymentAsset: null,
  messageProtocol: 'a2a',
  a2aCompliant: false,
  acceptedContentTypes: ['text/plain', 'application/json'],
  payloadSchema: null,
  signupHelp: null,
  authHeaderName: null,
};

/** The configuration with the fields that `patch` names. */
export function patchConfiguration(configuration: AgentConfiguration, patch: ConfigurationPatch): AgentConfiguration {
  const named = Object.entries(patch).filter(([, value]) => value !== undefined);
  return { ...configuration, ...(Object.fromEntries(named) as Partial<AgentConfiguration>) };
}

/** Names of the fields in which two configurations differ, in the order of the first one's fields. */
export function changedFields(before: AgentConfiguration, after: AgentConfiguration): ConfigurationField[] {
  return (Object.keys(before) as ConfigurationField[]).filter((field) => !isSame(before[field], after[field]));
}

/** Equality of JSON values, whatever the order of members: a log may store another order than it was given. */
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

/** One entry for each canonical name, with the highest weight given, in the order of first mention. */
export function mergeCapabilities(capabilities: readonly WeightedCapability[]): WeightedCapability[] {
  const weights = new Map<string, number>();
  for (const { name, weight } of capabilities) weights.set(name, Math.max(weight, weights.get(name) ?? weight));
  return [...weights].map(([name, weight]) => ({ name, weight }));
}

/** Limits of an agent's capabilities by weight; six in all. */
export const capabilitiesOfWeightMax: Readonly<Record<1 | 2 | 3, number>> = { 3: 1, 2: 2, 1: 3 };

/** Refuses with `capability_weights_exceeded`. */
export function ensureCapabilityWeightTiers(capabilities: readonly WeightedCapability[]): void {
  for (const weight of [3, 2, 1] as const) {
    const count = capabilities.filter((capability) => capability.weight === weight).length;
    const most = capabilitiesOfWeightMax[weight];
    if (count > most) {
      throw new DomainError(
        'capability_weights_exceeded',
        `${count} capabilities have weight ${weight}; at most ${most} may (one of weight 3, two of weight 2, three of weight 1)`,
      );
    }
  }
}

const paymentFields = [
  ['paymentNetwork', 'payment_network'],
  ['paymentPayTo', 'payment_pay_to'],
  ['paymentAsset', 'payment_asset'],
] as const;

/**
 * Prices are meaningless without the place and the currency of payment; an empty schedule has no price. Refuses with
 * `price_schedule_incomplete`.
 *
 * @param loc the field of the request that brought the prices
 */
export function ensurePaymentFieldsOfPrices(
  configuration: AgentConfiguration,
  loc: string[] = ['body', 'price_schedule'],
): void {
  if (configuration.priceSchedule === null || configuration.priceSchedule.length === 0) return;
  const missing = paymentFields.filter(([field]) => configuration[field] === null).map(([, name]) => name);
  if (missing.length > 0) {
    throw faultAt(
      'price_schedule_incomplete',
      loc,
      `price_schedule needs payment_network, payment_pay_to and payment_asset; missing: ${missing.join(', ')}`,
    );
  }
}
