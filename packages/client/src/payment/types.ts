/** One way to pay, as x402 has it. Amounts are in atomic units of the asset. */
export type PaymentRequirement = {
  scheme: string;
  network: string;
  /** Decimal digits: `amount` of x402 v2, `maxAmountRequired` of v1. */
  amount: string;
  asset: string;
  payTo: string;
  maxTimeoutSeconds: number | null;
  extra: Readonly<Record<string, unknown>> | null;
  /** The requirement as it came: what a wallet signs. */
  raw: Readonly<Record<string, unknown>>;
};

/** What an agent wants to be paid, with the registry's address in place of its own. */
export type PaymentDemand = {
  x402Version: 1 | 2;
  /** The address to pay for, which is one of the registry's. */
  resource: string | null;
  accepts: readonly PaymentRequirement[];
  error: string | null;
  /** The demand as it came, for wallets' libraries. */
  raw: Readonly<Record<string, unknown>>;
};

/**
 * Makes a payment: answers the header's value, base64 JSON as x402 has it, or null not to pay. A server may speak both versions of
 * x402: then `demands` has both, the newer first, and `demand` is the first of them.
 */
export type OnPaymentRequired = (
  demand: PaymentDemand,
  demands: readonly PaymentDemand[],
) => string | null | Promise<string | null>;

/** What a payment led to, as the agent tells it. */
export type PaymentSettlement = {
  x402Version: 1 | 2;
  success: boolean;
  transaction: string | null;
  network: string | null;
  payer: string | null;
  errorReason: string | null;
  raw: Readonly<Record<string, unknown>>;
};
