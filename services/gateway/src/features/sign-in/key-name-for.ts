import { randomBytes } from 'node:crypto';

/** Of the asker's name, as many characters as leave room for the rest. */
const askerCharsMax = 40;

/** `alice.console-9f2c41d07be3`: whose browser a key is for, and that it is for one. An issuer of tokens may call an operator anything. */
export function keyNameFor(asker: string): string {
  const known = asker.toLowerCase().replaceAll(/[^a-z0-9._@-]+/gu, '-');
  const begun = known.replace(/^[^a-z0-9]+/u, '').slice(0, askerCharsMax);
  return `${begun === '' ? 'operator' : begun}.console-${randomBytes(6).toString('hex')}`;
}
