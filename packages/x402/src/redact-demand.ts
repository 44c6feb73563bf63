import { decodeHeader, encodeHeader } from './header-codec.ts';
import type { Redaction } from './redaction.ts';
import { x402Limits } from './limits.ts';
import { paymentResponseHeaders } from './settlement-of.ts';
import { type Requirement, requirementsIn } from './requirement.ts';

/** Payment Required (RFC 9110 §15.5.3). */
export const paymentRequired = 402;

const demandHeader = 'payment-required';
const codedHeaders = [demandHeader, ...paymentResponseHeaders];

export type RedactedDemand = {
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Uint8Array;
  requirements: Requirement[];
};

const redactText = (text: string, redaction: Redaction): string | null => {
  const value: unknown = JSON.parse(text);
  const redacted = JSON.stringify(redaction.redact(value));
  // A body that does not name the agent is passed on unchanged, byte for byte: numbers keep their digits and texts their escapes.
  return redacted === JSON.stringify(value) ? null : redacted;
};

/**
 * The body with the agent's addresses replaced. A body that is not JSON is removed if it names the agent (of a long page, a paywall with its
 * scripts, the agent's URLs are replaced first), and so is one that cannot be read
 * (`contentEncoding`, bytes that are not UTF-8, size or nesting beyond the limits).
 */
const redactBody = (body: Uint8Array, contentEncoding: string | undefined, redaction: Redaction): Uint8Array => {
  const nothing = new Uint8Array();
  if (body.byteLength > x402Limits.pageBytesMax) return nothing;
  if (contentEncoding !== undefined && contentEncoding.trim().toLowerCase() !== 'identity') return nothing;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return nothing;
  }
  if (body.byteLength > x402Limits.bodyBytesMax) {
    const page = /^\s*[[{]/u.test(text) ? null : redaction.redactPage(text);
    return page === null ? nothing : new TextEncoder().encode(page);
  }
  try {
    const redacted = redactText(text, redaction);
    return redacted === null ? body : new TextEncoder().encode(redacted);
  } catch {
    return redaction.isNamedIn(text) || /^\s*[[{]/u.test(text) ? nothing : body;
  }
};

/** Redacts a base64 JSON header; null if it cannot be read and so cannot be shown. */
const redactHeader = (header: string, redaction: Redaction): string | null => {
  const value = decodeHeader(header);
  if (value === undefined) return null;
  try {
    const redacted = redaction.redact(value);
    return JSON.stringify(redacted) === JSON.stringify(value) ? header : encodeHeader(redacted);
  } catch {
    return null;
  }
};

/** An answer's x402 headers with the agent's addresses replaced; unreadable ones are left out. */
export function redactPaymentHeaders(
  headers: Readonly<Record<string, string>>,
  redaction: Redaction,
): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const redacted = codedHeaders.includes(name) ? redactHeader(value, redaction) : value;
    if (redacted !== null) shown[name] = redacted;
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

/** An agent's 402 with its addresses replaced by its pay address, in the base64 JSON of the headers (v2) and in the body (v1). Other headers stay. */
export function redactDemand(
  answer: { headers: Readonly<Record<string, string>>; body: Uint8Array },
  redaction: Redaction,
): RedactedDemand {
  const second = answer.headers[demandHeader];
  const inHeader = second === undefined ? [] : requirementsIn(decodeHeader(second));
  return {
    headers: redactPaymentHeaders(answer.headers, redaction),
    body: redactBody(answer.body, answer.headers['content-encoding'], redaction),
    requirements: inHeader.length > 0 ? inHeader : requirementsIn(jsonIn(answer.body)),
  };
}
