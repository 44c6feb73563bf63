/** The command line or something it names is wrong; the message says what to do instead. Nothing was sent. */
export class UsageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UsageError';
  }
}
