/** A credential that the command needs is not there; the message says how to give it. Nothing was sent. */
export class CredentialError extends Error {
  override readonly name = 'CredentialError';
}
