/** A credential that the command needs is missing; the message says how to provide it. Nothing was sent. */
export class CredentialError extends Error {
  override readonly name = 'CredentialError';
}
