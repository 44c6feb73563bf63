import { asksForStream } from './message.ts';
import type { ParsedMessage } from './message.ts';
import type { OutboundPlan, RoutableTarget } from './plan.ts';

/** Any JSON object, the bytes as they came, always POST. */
export const planRaw = (target: RoutableTarget, message: ParsedMessage): OutboundPlan => ({
  httpMethod: 'POST',
  url: target.endpointUrl,
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream;q=0.9, */*;q=0.5' },
  body: message.bytes,
  isExchange: true,
  streaming: asksForStream(message),
});
