import { currencyOf, networkId } from './currency.ts';
import type { SentPayment } from './payment.ts';
import { type PaymentResponse, successfulResponseIn } from './payment-response.ts';
import type { Requirement } from './requirement.ts';

/** A payment that was settled, as far as it is told. Amounts are decimal digits in atomic units. */
export type Settlement = {
  x402Version: 1 | 2;
  scheme: string | null;
  /** As the payment calls it; `networkId` says which one that is. */
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

/** What was signed must be what was asked for; of what is not told nothing is held against a requirement. */
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
 * The requirement that a payment accepted: the one among those that were passed on which it fits; else what the client says that it
 * accepted (v2), else what it signed. An agent that was paid another way than it asked for has accepted that, too.
 */
const acceptedRequirement = (payment: SentPayment, passedOn: readonly Requirement[]): Requirement => {
  const fitting = passedOn.find((requirement) => fits(requirement, payment));
  if (fitting !== undefined) return fitting;
  if (payment.accepted !== null) return payment.accepted;
  // A demand that has changed since still tells the asset, where it has only one on that network.
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
 * The settlement that an agent's answer tells of, or null: only an answer of 2xx to a request that carried a payment, whose payment
 * response says `success: true`, tells of one. Whatever the response does not say is taken from the requirement that was accepted.
 */
export function settlementOf(exchange: {
  payment: SentPayment | null;
  statusCode: number;
  /** Of the answer; names in lower case. */
  responseHeaders: Readonly<Record<string, string>>;
  /** The ways to pay that were last passed on. */
  requirements: readonly Requirement[];
}): Settlement | null {
  const { payment, statusCode, responseHeaders, requirements } = exchange;
  if (payment === null || statusCode < 200 || statusCode > 299) return null;
  const response = successfulResponseIn(responseHeaders);
  return response === null ? null : settled(payment, response, acceptedRequirement(payment, requirements));
}
