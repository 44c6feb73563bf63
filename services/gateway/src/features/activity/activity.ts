import { activity as activityView, getActivity, getActivityRoute, toWire } from '@agent-trust/contracts';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { madeOf, sendUnlessCurrent } from '../../http/public-document.ts';

export const activity: Endpoint = endpoint(getActivityRoute, async ({ query, request, reply }, gateway) => {
  const found = await ask(gateway, request, getActivity, { days: query.days });
  return sendUnlessCurrent(request, reply, madeOf(toWire(activityView, found)));
});
