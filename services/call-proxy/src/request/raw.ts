import { z } from 'zod';
import { asksForStream, parseOutside } from './message.ts';
import type { OutboundPlan, RoutableTarget } from './plan.ts';

/** What of it has a meaning here. */
const rawMessage = z.object({ method: z.unknown().optional() });

/** Any JSON object, the bytes as they came, always POST. */
export function planRaw(target: RoutableTarget, message: Uint8Array): OutboundPlan {
  return {
    httpMethod: 'POST',
    url: target.endpointUrl,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream;q=0.9, */*;q=0.5' },
    body: message,
    isExchange: true,
    streaming: asksForStream(parseOutside(rawMessage, message)),
  };
}
