import { setting, type Setting } from '@agent-trust/service-kit';
import { NoteError, parseVerifierKey, signatureTypes, type VerifierKey } from '@agent-trust/transparency-log';
import { witnessLimits } from './limits.ts';

/** A witness of the log, and where it publishes the newest checkpoint that it has cosigned. */
export type WitnessAddress = { key: VerifierKey; url: string };

/** Witnesses as `<verifier key> <url>`, separated by commas. */
export function witnessAddresses(): Setting<readonly WitnessAddress[]> {
  return setting(
    `the verifier key of a witness ("Cosigned as …") and the http or https address of what it publishes, with a space between them; ` +
      `at most ${witnessLimits.witnessesMax} different ones, separated by commas`,
    (text) => {
      const found = text.split(',').map((entry) => witnessAddressOf(entry.trim()));
      const known = found.filter((one) => one !== undefined);
      const names = new Set(known.map(({ key }) => key.name));
      return known.length === found.length && names.size === found.length && found.length <= witnessLimits.witnessesMax
        ? known
        : undefined;
    },
  );
}

const witnessAddressOf = (entry: string): WitnessAddress | undefined => {
  const [vkey = '', url = '', ...rest] = entry.split(/\s+/u);
  const { protocol, username, password } = URL.parse(url) ?? {};
  if (rest.length > 0 || (protocol !== 'http:' && protocol !== 'https:') || username !== '' || password !== '')
    return undefined;
  try {
    const key = parseVerifierKey(vkey);
    return key.type === signatureTypes.cosignatureV1 ? { key, url } : undefined;
  } catch (error) {
    if (error instanceof NoteError) return undefined;
    throw error;
  }
};
