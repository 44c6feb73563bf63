import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

/** A request and its answer, as sent over the wire. */
export type Exchange = {
  method: string;
  /** Path and query, as the client wrote them. */
  target: string;
  status: number;
  /** Headers of the answer, spelled as on the wire. */
  headers: readonly (readonly [string, string])[];
  /** Bytes of the answer. */
  body: Buffer;
  /** False if the answer broke off: then only its head can be checked. */
  isWhole: boolean;
};

/** All values of a header of the answer, or null. */
export function headerOf({ headers }: Exchange, name: string): string | null {
  const values = headers.flatMap(([key, value]) => (key.toLowerCase() === name ? [value] : []));
  return values.length === 0 ? null : values.join(',');
}

export function mediaTypeOf(exchange: Exchange): string | null {
  return headerOf(exchange, 'content-type')?.split(';')[0]?.trim().toLowerCase() ?? null;
}

export function isJson(exchange: Exchange): boolean {
  return /^application\/([\w.-]+\+)?json$/u.test(mediaTypeOf(exchange) ?? '');
}

/** The body as text, with its declared content coding undone if the body really has it. */
export function textOf(exchange: Exchange): string {
  const { body } = exchange;
  const coding = headerOf(exchange, 'content-encoding')?.trim().toLowerCase() ?? 'identity';
  const decode = { gzip: gunzipSync, 'x-gzip': gunzipSync, deflate: inflateSync, br: brotliDecompressSync }[coding];
  try {
    return (decode === undefined || body.length === 0 ? body : decode(body)).toString();
  } catch {
    return body.toString();
  }
}

/** The body as JSON; undefined if it is not JSON. */
export function jsonOf(exchange: Exchange): unknown {
  if (!isJson(exchange)) return undefined;
  try {
    return JSON.parse(textOf(exchange));
  } catch {
    return undefined;
  }
}

/** The code of a registry error; null if the body is not one. */
export function errorCodeOf(exchange: Exchange): string | null {
  if (exchange.status < 400 || !exchange.isWhole) return null;
  const { code, request_id } = (jsonOf(exchange) ?? {}) as { code?: unknown; request_id?: unknown };
  return typeof code === 'string' && typeof request_id === 'string' ? code : null;
}
