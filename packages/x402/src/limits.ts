/** Limits on what is parsed of a payment. Receivers of headers limit them, too; these limits do not rely on that. */
export const x402Limits = {
  /** Of one base64 header. */
  headerCharsMax: 64 * 1024,
  /** Of a demand in a body. Parsed JSON may take a hundred times its size. */
  bodyBytesMax: 256 * 1024,
  /** Of a page beside a demand, such as a paywall: one with its scripts takes 3.5 MiB. */
  pageBytesMax: 4 * 1024 * 1024,
  requirementsMax: 32,
  /** Of an address, a network, a scheme or a transaction's reference. */
  wordCharsMax: 256,
  /** Digits of an amount: those of 2^256 (an ERC-20 amount). */
  amountDigitsMax: 78,
  decimalsMax: 36,
  /** Levels of JSON in a demand or a payment. */
  depthMax: 64,
  /** Different texts of one demand that were replaced and can be restored. */
  originalsMax: 64,
  originalCharsMax: 8_192,
} as const;
