import { createTraces } from '@agent-trust/x402';

/** True when a header's value tells the endpoint's host or port, in whatever writing. */
export const namesAddress = (value: string, endpointUrl: string): boolean => createTraces([endpointUrl]).areIn(value);
