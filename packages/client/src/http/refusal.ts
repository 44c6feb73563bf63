import { type ClientError, RegistryError, UnexpectedAnswerError } from '../errors.ts';
import type { ValidationItem } from '../types.ts';

/** The error for an answer: the registry's own refusal, or an unexpected answer of another server. */
export function refusalOf(operation: string, response: Response, text: string): ClientError {
  const { status, headers } = response;
  const requestId = headers.get('x-request-id');
  const body = jsonObject(text);
  const { code, detail } = body ?? {};
  if (body === null || typeof code !== 'string' || !(typeof detail === 'string' || isItems(detail)))
    return new UnexpectedAnswerError(operation, `answered ${status}, but not as the registry does`, {
      status,
      requestId,
    });
  const items = typeof detail === 'string' ? [] : detail;
  return new RegistryError(operation, {
    status,
    code,
    detail: typeof detail === 'string' ? detail : items.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; '),
    items,
    requestId: requestId ?? (typeof body['request_id'] === 'string' ? body['request_id'] : null),
    retryAfterSeconds: retryAfterSeconds(headers.get('retry-after'), Date.now()),
    body,
  });
}

const isItems = (detail: unknown): detail is ValidationItem[] =>
  Array.isArray(detail) &&
  detail.every((item: Partial<ValidationItem> | null) => Array.isArray(item?.loc) && typeof item.msg === 'string');

/** Retry-After (RFC 9110 §10.2.3): seconds, or a date, as proxies send. */
export function retryAfterSeconds(text: string | null, now: number): number | null {
  if (text === null) return null;
  if (/^\d{1,9}$/u.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1_000));
}

/** Parses a JSON object; null for anything else. */
export function jsonObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
