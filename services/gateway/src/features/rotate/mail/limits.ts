/** Bounds of sending mail. */
export const mailLimits = {
  /** From the first attempt to connect to the server's word that it has taken the mail. */
  sendTimeoutMs: 10_000,
  connectTimeoutMs: 5_000,
  dnsTimeoutMs: 3_000,
  /** Silence of the server after the connection stands. */
  idleTimeoutMs: 5_000,
  closeTimeoutMs: 1_000,
  serverReplyBytesMax: 64 * 1024,
  /** Mails on their way at one time; further requests are told to come again. Nothing waits in a queue. */
  mailsAtOnceMax: 32,
} as const;
