/**
 * The agent was contacted, and how that ended is not on record: the log stayed away, or this proxy was held up for so long that its
 * exchange was ended as abandoned meanwhile. The first end stands.
 */
export class EndUnrecordedError extends Error {
  readonly transactionId: string;

  constructor(transactionId: string, options: { cause: unknown }) {
    super(
      'The agent was contacted, but how the exchange ended could not be put on record; it counts as abandoned.',
      options,
    );
    this.name = 'EndUnrecordedError';
    this.transactionId = transactionId;
  }
}
