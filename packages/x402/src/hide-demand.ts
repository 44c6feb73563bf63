import { decodeHeader, encodeHeader } from './header-codec.ts';
import type { Hiding } from './hide-endpoint.ts';
import { x402Limits } from './limits.ts';
import { paymentResponseHeaders } from './payment-response.ts';
import { type Requirement, requirementsIn } from './requirement.ts';

/** Payment Required (RFC 9110 §15.5.3). */
export const paymentRequired = 402;

const demandHeader = 'payment-required';
const codedHeaders = [demandHeader, ...paymentResponseHeaders];

/** A demand as others may see it, and the ways to pay that it offers. */
export type ShownDemand = {
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Uint8Array;
  requirements: Requirement[];
};

const hideText = (text: string, hiding: Hiding): string | null => {
  const value: unknown = JSON.parse(text);
  const hidden = JSON.stringify(hiding.hide(value));
  // What named nobody goes on as it came, byte for byte: numbers keep their digits and texts their escapes.
  return hidden === JSON.stringify(value) ? null : hidden;
};

/**
 * The body with the agent's addresses replaced. What is no JSON is kept where it does not name the agent, else nothing is left of it;
 * nothing is left either of what cannot be read (`contentEncoding`, bytes that are no UTF-8, size or nesting beyond the limits).
 */
const hideInBody = (body: Uint8Array, contentEncoding: string | undefined, hiding: Hiding): Uint8Array => {
  const nothing = new Uint8Array();
  if (body.byteLength > x402Limits.bodyBytesMax) return nothing;
  if (contentEncoding !== undefined && contentEncoding.trim().toLowerCase() !== 'identity') return nothing;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return nothing;
  }
  try {
    const hidden = hideText(text, hiding);
    return hidden === null ? body : new TextEncoder().encode(hidden);
  } catch {
    return hiding.isNamedIn(text) || /^\s*[[{]/u.test(text) ? nothing : body;
  }
};

/** A base64 JSON header likewise; null when it cannot be read and so cannot be shown. */
const hideInHeader = (header: string, hiding: Hiding): string | null => {
  const value = decodeHeader(header);
  if (value === undefined) return null;
  try {
    const hidden = hiding.hide(value);
    return JSON.stringify(hidden) === JSON.stringify(value) ? header : encodeHeader(hidden);
  } catch {
    return null;
  }
};

/** The headers of x402 among an answer's with the agent's addresses replaced; those that cannot be read are left out. */
export function hideInPaymentHeaders(
  headers: Readonly<Record<string, string>>,
  hiding: Hiding,
): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const hidden = codedHeaders.includes(name) ? hideInHeader(value, hiding) : value;
    if (hidden !== null) shown[name] = hidden;
  }
  return shown;
}

const jsonIn = (body: Uint8Array): unknown => {
  if (body.byteLength > x402Limits.bodyBytesMax) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(body)) as unknown;
  } catch {
    return undefined;
  }
};

/**
 * An agent's 402 with its addresses replaced by its pay address, in the base64 JSON of the headers (v2) and in the body (v1). Headers that
 * are none of x402's are passed through as they are.
 */
export function hideDemand(
  answer: { headers: Readonly<Record<string, string>>; body: Uint8Array },
  hiding: Hiding,
): ShownDemand {
  const second = answer.headers[demandHeader];
  const inHeader = second === undefined ? [] : requirementsIn(decodeHeader(second));
  return {
    headers: hideInPaymentHeaders(answer.headers, hiding),
    body: hideInBody(answer.body, answer.headers['content-encoding'], hiding),
    requirements: inHeader.length > 0 ? inHeader : requirementsIn(jsonIn(answer.body)),
  };
}
