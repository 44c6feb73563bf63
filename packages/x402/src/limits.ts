/** Bounds on what is read of a payment. Headers are bounded by those who receive them; these hold by themselves. */
export const x402Limits = {
  /** Of one base64 header. */
  headerCharsMax: 64 * 1024,
  /** Of a demand in a body. Read as values, JSON may take a hundred times its size. */
  bodyBytesMax: 256 * 1024,
  /** Ways to pay that one demand offers. */
  requirementsMax: 32,
  /** Of an address, a network, a scheme or a transaction's reference. */
  wordCharsMax: 256,
  /** Digits of an amount: those of 2^256 (an ERC-20 amount). */
  amountDigitsMax: 78,
  decimalsMax: 36,
  /** Levels of JSON in a demand or a payment. */
  depthMax: 64,
  /** Different texts of one demand that were replaced and can be put back. */
  originalsMax: 64,
  originalCharsMax: 8_192,
} as const;
