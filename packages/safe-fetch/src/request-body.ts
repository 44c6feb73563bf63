import { OutboundError } from './outbound-error.ts';

export type RequestBody = Uint8Array | AsyncIterable<Uint8Array> | null;

/** The body with failures of its source told apart from those of the target: `aborted`, reason `request_body`. */
export function markFailures(body: RequestBody, onFailure: (error: OutboundError) => void): RequestBody {
  if (body === null || body instanceof Uint8Array) return body;
  return (async function* () {
    try {
      yield* body;
    } catch (cause) {
      const error = new OutboundError('aborted', 'request_body', cause);
      onFailure(error);
      throw error;
    }
  })();
}
