import {
  cancelReplay,
  cancelReplayRoute,
  DomainError,
  getReplayRoute,
  listReplays,
  listReplaysRoute,
  replay,
  startReplay,
  startReplayRoute,
  toWire,
} from '@agent-trust/contracts';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { operationsRates } from './rates.ts';
import { operationsStatus } from './status.ts';

const start = endpoint(startReplayRoute, async ({ body, actor, request, reply }, gateway) => {
  const begun = await ask(gateway, request, startReplay, { acceptDifferences: body.accept_differences, actor });
  reply.code(202);
  return toWire(replay, begun.replay);
});

const list = endpoint(listReplaysRoute, async ({ request }, gateway) => {
  const { replays } = await ask(gateway, request, listReplays, { replayId: null });
  return replays.map((one) => toWire(replay, one));
});

const one = endpoint(getReplayRoute, async ({ params, request }, gateway) => {
  const { replays } = await ask(gateway, request, listReplays, { replayId: params.replay_id });
  const [found] = replays;
  if (found === undefined)
    throw new DomainError('replay_not_found', `there is no replay ${params.replay_id}; only the newest are kept`);
  return toWire(replay, found);
});

const cancel = endpoint(cancelReplayRoute, async ({ params, request, reply }, gateway) => {
  const asked = await ask(gateway, request, cancelReplay, { replayId: params.replay_id });
  reply.code(202);
  return toWire(replay, asked.replay);
});

export const operationsEndpoints: readonly Endpoint[] = [operationsStatus, operationsRates, start, list, one, cancel];
