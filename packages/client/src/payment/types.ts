/** One way to pay, in the terms of x402. Amounts are in atomic units of the asset. */
export type PaymentRequirement = {
  scheme: string;
  network: string;
  /** Decimal digits: `amount` of x402 v2, `maxAmountRequired` of v1. */
  amount: string;
  asset: string;
  payTo: string;
  maxTimeoutSeconds: number | null;
  extra: Readonly<Record<string, unknown>> | null;
  /** The requirement as received: what a wallet signs. */
  raw: Readonly<Record<string, unknown>>;
};

/** An agent's payment demand, with the registry's address in place of the agent's. */
export type PaymentDemand = {
  x402Version: 1 | 2;
  /** The address to pay at, which belongs to the registry. */
  resource: string | null;
  accepts: readonly PaymentRequirement[];
  error: string | null;
  /** The demand as received, for wallet libraries. */
  raw: Readonly<Record<string, unknown>>;
};

/**
 * Makes a payment: returns the header's value, base64 JSON according to x402, or null not to pay. A server may support both versions of x402: then
 * `demands` has both, the newer first, and `demand` is the first of them.
 */
export type OnPaymentRequired = (
  demand: PaymentDemand,
  demands: readonly PaymentDemand[],
) => string | null | Promise<string | null>;

/** The result of a payment, as reported by the agent. */
export type PaymentSettlement = {
  x402Version: 1 | 2;
  success: boolean;
  transaction: string | null;
  network: string | null;
  payer: string | null;
  errorReason: string | null;
  raw: Readonly<Record<string, unknown>>;
};
