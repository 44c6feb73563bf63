import { signatureLimits } from './limits.ts';
import { SignatureRefusal } from './refusal.ts';
import { fieldValue, type SignableRequest } from './request.ts';
import { parseDictionary } from './structured-fields/parse.ts';
import { serialiseDictionary } from './structured-fields/serialise.ts';
import { bytes, item, StructuredFieldError } from './structured-fields/types.ts';

/** The value of a Content-Digest header (RFC 9530 §2) for a body with this SHA-256. */
export function contentDigestHeader(sha256: Uint8Array): string {
  return serialiseDictionary(new Map([['sha-256', item(bytes(sha256))]]));
}

/** Compares Content-Digest with the body's SHA-256; other algorithms are ignored (RFC 9530 §2). Throws SignatureRefusal. */
export function ensureContentDigest(request: SignableRequest, sha256: Uint8Array): void {
  const text = fieldValue(request, 'content-digest');
  if (text === null) throw new SignatureRefusal('content_digest_missing');
  if (text.length > signatureLimits.contentDigestCharsMax)
    throw new SignatureRefusal('header_too_large', 'content-digest');
  const digest = parse(text).get('sha-256');
  if (digest === undefined) throw new SignatureRefusal('sha256_digest_missing');
  if (digest.kind !== 'item' || digest.value.type !== 'bytes') throw new SignatureRefusal('malformed_content_digest');
  if (!Buffer.from(digest.value.value).equals(sha256)) throw new SignatureRefusal('digest_mismatch');
}

const parse = (text: string): ReturnType<typeof parseDictionary> => {
  try {
    return parseDictionary(text);
  } catch (error) {
    if (error instanceof StructuredFieldError) throw new SignatureRefusal('malformed_content_digest');
    throw error;
  }
};
