/** The command line or something it names is wrong; the message says what to do instead. Nothing was sent. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
