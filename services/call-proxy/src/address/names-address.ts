import { createTraces } from '@agent-trust/x402';

/** True when a text tells the endpoint's host or port, in whatever writing. */
export const namesAddress = (text: string, endpointUrl: string): boolean => createTraces([endpointUrl]).areIn(text);
