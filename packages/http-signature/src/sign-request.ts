import { type ComponentIdentifier, componentNamed, ensureNoDuplicates } from './components/identifier.ts';
import { signEd25519 } from './ed25519/ed25519.ts';
import { keyIdItem } from './key-id.ts';
import type { SignableRequest } from './request.ts';
import { signatureBase, toInnerList } from './signature-base.ts';
import { serialiseDictionary } from './structured-fields/serialise.ts';
import { type BareItem, bytes, integer, item, string } from './structured-fields/types.ts';

export type SigningOptions = {
  /** The seed of 32 bytes (RFC 8032 §5.1.5). */
  readonly secretKey: Uint8Array;
  readonly label: string;
  /** Names, or identifiers with parameters. Each must be in the request, also Content-Digest. */
  readonly components: readonly (string | ComponentIdentifier)[];
  /** In the order in which they are written; `signatureParameters` makes the usual ones. */
  readonly parameters: ReadonlyMap<string, BareItem>;
};

/** The parameters that the registry requires. Times are seconds since the epoch; the nonce must be new for each request. */
export function signatureParameters(values: {
  createdSeconds: number;
  keyId: string;
  nonce?: string;
  expiresSeconds?: number;
}): Map<string, BareItem> {
  const parameters = new Map<string, BareItem>([['created', integer(values.createdSeconds)]]);
  if (values.expiresSeconds !== undefined) parameters.set('expires', integer(values.expiresSeconds));
  parameters.set('keyid', keyIdItem(values.keyId));
  if (values.nonce !== undefined) parameters.set('nonce', string(values.nonce));
  return parameters;
}

/** Signs a request (RFC 9421 §3.1). Returns the two headers; throws SignatureRefusal if a component occurs twice or is not in the request. */
export async function signRequest(
  request: SignableRequest,
  { secretKey, label, components, parameters }: SigningOptions,
): Promise<{ 'signature-input': string; signature: string }> {
  const covered = components.map((component) =>
    typeof component === 'string' ? componentNamed(component) : component,
  );
  ensureNoDuplicates(covered);
  const signed = { components: covered, parameters };
  const signature = await signEd25519(Buffer.from(signatureBase(request, signed), 'latin1'), secretKey);
  return {
    'signature-input': serialiseDictionary(new Map([[label, toInnerList(signed)]])),
    signature: serialiseDictionary(new Map([[label, item(bytes(signature))]])),
  };
}
