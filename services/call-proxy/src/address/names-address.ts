import { createTraces } from '@agent-trust/x402';

/** True when a text tells the endpoint's host or port, in whatever writing. */
export function namesAddress(text: string, endpointUrl: string): boolean {
  return createTraces([endpointUrl]).areIn(text);
}
