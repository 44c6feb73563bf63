import { x402Limits } from './limits.ts';

/** Base64 of the standard or the URL alphabet, with or without padding. */
const base64 = /^[\w+/-]+={0,2}$/u;

/** The JSON value in a base64 header of x402 (`X-PAYMENT`, `PAYMENT-REQUIRED` and the like); undefined if there is none. */
export function decodeHeader(header: string): unknown {
  const text = header.trim();
  if (text.length > x402Limits.headerCharsMax || !base64.test(text)) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'base64'))) as unknown;
  } catch {
    return undefined;
  }
}

/** A JSON value as such a header: base64 of its UTF-8 text, as in x402's own clients and servers. */
export function encodeHeader(value: unknown): string {
  return Buffer.from(JSON.stringify(value), 'utf8').toString('base64');
}
