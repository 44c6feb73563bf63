import { z } from 'zod';
import { currencyOf, networkId } from './currency.ts';
import { decodeHeader } from './header-codec.ts';
import type { SentPayment } from './payment.ts';
import { atomicAmount, type Requirement, word } from './requirement.ts';

/** A settled payment, as far as it is reported. Amounts are decimal digits in atomic units. */
export type Settlement = {
  x402Version: 1 | 2;
  scheme: string | null;
  /** As in the payment; `networkId` is its normalised id. */
  network: string | null;
  asset: string | null;
  currency: string | null;
  decimals: number | null;
  amountAtomic: string | null;
  payTo: string | null;
  payer: string | null;
  /** The transaction on the chain. */
  confirmationRef: string | null;
  blockNumber: number | null;
};

const sameNetwork = (a: string | null, b: string | null): boolean =>
  a !== null && b !== null && networkId(a) === networkId(b);
const sameAddress = (a: string | null, b: string | null): boolean =>
  a !== null && b !== null && a.toLowerCase() === b.toLowerCase();

/** The signed values must match the requirement; values that are not given match any. */
const fits = (requirement: Requirement, { authorization, accepted, network, scheme }: SentPayment): boolean => {
  const amount = authorization?.amountAtomic ?? accepted?.amountAtomic ?? null;
  const payTo = authorization?.payTo ?? accepted?.payTo ?? null;
  return (
    (network === null || sameNetwork(requirement.network, network)) &&
    (scheme === null || requirement.scheme === scheme) &&
    (amount === null || requirement.amountAtomic === amount) &&
    (payTo === null || sameAddress(requirement.payTo, payTo)) &&
    (accepted?.asset == null || sameAddress(requirement.asset, accepted.asset))
  );
};

/**
 * The requirement that a payment accepted: the matching one among those passed on, else the one that the client names (v2), else what it signed. An
 * agent that was paid in another way than demanded has accepted that too.
 */
const acceptedRequirement = (payment: SentPayment, passedOn: readonly Requirement[]): Requirement => {
  const fitting = passedOn.find((requirement) => fits(requirement, payment));
  if (fitting !== undefined) return fitting;
  if (payment.accepted !== null) return payment.accepted;
  // A demand that has changed since still determines the asset if it has only one on that network.
  const assets = passedOn.filter(({ network }) => sameNetwork(network, payment.network)).map(({ asset }) => asset);
  const [asset = null] = new Set(assets);
  return {
    scheme: payment.scheme,
    network: payment.network,
    amountAtomic: payment.authorization?.amountAtomic ?? null,
    payTo: payment.authorization?.payTo ?? null,
    asset: new Set(assets).size === 1 ? asset : null,
    decimals: null,
  };
};

const settled = (payment: SentPayment, response: PaymentResponse, requirement: Requirement): Settlement => {
  const network = response.network ?? requirement.network;
  const asset = response.asset ?? requirement.asset;
  // The decimals of a requirement are those of its own asset.
  const decimals = asset === requirement.asset ? requirement.decimals : null;
  return {
    x402Version: payment.version,
    scheme: requirement.scheme,
    network,
    asset,
    ...currencyOf({ network, asset, decimals }),
    amountAtomic: response.amount ?? requirement.amountAtomic,
    payTo: response.payTo ?? requirement.payTo,
    payer: response.payer ?? null,
    confirmationRef: response.transaction ?? null,
    blockNumber: response.blockNumber ?? null,
  };
};

/**
 * The settlement that an answer reports, or null: a 2xx to a paid request whose payment response says `success: true`. Missing values are the
 * requirement's.
 */
export function settlementOf(exchange: {
  payment: SentPayment | null;
  statusCode: number;
  /** Of the answer; names in lower case. */
  responseHeaders: Readonly<Record<string, string>>;
  /** The payment options that were last passed on. */
  requirements: readonly Requirement[];
}): Settlement | null {
  const { payment, statusCode, responseHeaders, requirements } = exchange;
  if (payment === null || statusCode < 200 || statusCode > 299) return null;
  const response = successfulResponseIn(responseHeaders);
  return response === null ? null : settled(payment, response, acceptedRequirement(payment, requirements));
}

/** The answer headers that report a settlement, v2 first; names in lower case. */
export const paymentResponseHeaders = ['payment-response', 'x-payment-response'] as const;

const responseShape = z.object({
  success: z.literal(true),
  transaction: word.optional(),
  network: word.optional(),
  amount: atomicAmount.optional(),
  asset: word.optional(),
  payTo: word.optional(),
  payer: word.optional(),
  blockNumber: z.int().nonnegative().nullable().catch(null).optional(),
});
type PaymentResponse = z.output<typeof responseShape>;

/** A payment response with `success: true`, or null. If one of both headers reports a failure, nothing is settled. */
const successfulResponseIn = (headers: Readonly<Record<string, string>>): PaymentResponse | null => {
  const present = paymentResponseHeaders.map((name) => headers[name]).filter((header) => header !== undefined);
  const parsed = present.map((header) => responseShape.safeParse(decodeHeader(header)));
  const [first] = parsed;
  return first?.success === true && parsed.every(({ success }) => success) ? first.data : null;
};
