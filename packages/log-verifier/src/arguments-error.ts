/** What a command was given is wrong; nothing was read or written. */
export class ArgumentsError extends Error {
  override readonly name = 'ArgumentsError';
}
