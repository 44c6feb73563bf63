/** The command line or something it names is wrong; the message says what to do instead. Nothing was sent. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A credential that the command needs is missing; the message says how to provide it. Nothing was sent. */
export class CredentialError extends Error {
  override readonly name = 'CredentialError';
}
