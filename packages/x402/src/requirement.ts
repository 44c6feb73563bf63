import { z } from 'zod';
import { x402Limits } from './limits.ts';

/** One payment option of an agent, reduced to what a settlement needs; both versions of x402 are converted to this. Null: not given. */
export type Requirement = {
  scheme: string | null;
  network: string | null;
  /** Decimal digits, in atomic units. */
  amountAtomic: string | null;
  asset: string | null;
  payTo: string | null;
  decimals: number | null;
};

/** A text that may be passed on; other values count as not given. */
export const word = z
  .string()
  .min(1)
  .max(x402Limits.wordCharsMax)
  .regex(/^[\x21-\x7e]+$/u)
  .nullable()
  .catch(null);
export const atomicAmount = z
  .union([z.string(), z.int().nonnegative().transform(String)])
  .pipe(z.string().regex(/^\d+$/u).max(x402Limits.amountDigitsMax))
  .nullable()
  .catch(null);
const decimalsOf = z
  .union([
    z.int(),
    z
      .string()
      .regex(/^\d{1,2}$/u)
      .transform(Number),
  ])
  .pipe(z.int().min(0).max(x402Limits.decimalsMax))
  .nullable()
  .catch(null);

const extraShape = z.object({ decimals: decimalsOf.optional() }).catch({});

/** Unknown members are ignored: schemes add their own. */
const requirementShape = z.object({
  scheme: word.optional(),
  network: word.optional(),
  /** v1 */
  maxAmountRequired: atomicAmount.optional(),
  /** v2 */
  amount: atomicAmount.optional(),
  asset: word.optional(),
  payTo: word.optional(),
  extra: extraShape.optional(),
});

export function readRequirement(value: unknown): Requirement | null {
  const parsed = requirementShape.safeParse(value);
  if (!parsed.success) return null;
  const { scheme, network, maxAmountRequired, amount, asset, payTo, extra } = parsed.data;
  return {
    scheme: scheme ?? null,
    network: network ?? null,
    amountAtomic: amount ?? maxAmountRequired ?? null,
    asset: asset ?? null,
    payTo: payTo ?? null,
    decimals: extra?.decimals ?? null,
  };
}

const demandShape = z.object({ accepts: z.array(z.unknown()) });

/** The payment options of a demand, from its decoded body (v1) or header (v2); none if it is not a demand. */
export function requirementsIn(demand: unknown): Requirement[] {
  const parsed = demandShape.safeParse(demand);
  if (!parsed.success) return [];
  return parsed.data.accepts
    .slice(0, x402Limits.requirementsMax)
    .map(readRequirement)
    .filter((requirement) => requirement !== null);
}
