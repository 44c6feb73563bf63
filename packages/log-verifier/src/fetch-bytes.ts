import { verifierLimits } from './limits.ts';

/** An answer that did not come, or was not the one asked for. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  /** HTTP status; null when there was no answer. */
  readonly status: number | null;

  constructor(message: string, status: number | null, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** The body at an address. @throws UnreachableError for another status than 200, a body above `bytesMax`, and no answer in time. */
export async function fetchBytes(url: string, bytesMax: number = verifierLimits.answerBytesMax): Promise<Uint8Array> {
  let response: Response;
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    response = await fetch(url, { signal: AbortSignal.timeout(verifierLimits.fetchDeadlineMs), redirect: 'error' });
    if (response.status === 200 && response.body !== null) {
      for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
        length += part.length;
        if (length > bytesMax) break;
        parts.push(part);
      }
    }
  } catch (cause) {
    throw new UnreachableError(`${url} could not be reached`, null, { cause });
  }
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new UnreachableError(`${url} answered ${response.status}`, response.status);
  }
  if (length > bytesMax) throw new UnreachableError(`${url} answered more than ${bytesMax} bytes`, response.status);
  return new Uint8Array(Buffer.concat(parts));
}
