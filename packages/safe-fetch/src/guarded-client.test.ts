import { expect, it } from 'vitest';
import { createGuardedClient } from './guarded-client.ts';
import { failure, listen, serve } from './testing/loopback.ts';
import { createServer } from 'node:net';

// Bug: the client's own limit is below the guard's, so that an admitted request waits, or fails as if the target had failed.
it.each([4, 256, 1_100])(
  'each of a proxy’s %i admitted requests gets a connection, up to the limit of an origin',
  async (requestsMax) => {
    let connections = 0;
    const all = Promise.withResolvers<void>();
    const port = await listen(createServer(() => (connections += 1) === requestsMax / 2 && all.resolve()));
    const url = `http://127.0.0.1:${port}/`;
    const { safeFetch, guard } = createGuardedClient({
      allow: '127.0.0.1',
      requestsMax,
      agentRequestsPerSecondMax: 10_000,
      logger: { warn: () => {} },
    });
    const enter = (index: number) =>
      guard.enter({ url, agentId: `agent${index % 5}`, callerId: `caller${index % 10}` });
    const giveUp = new AbortController();
    const sent = Array.from({ length: requestsMax / 2 }, (_, index) => {
      enter(index);
      return failure(safeFetch(url, { signal: giveUp.signal }));
    });
    await all.promise;
    expect(() => enter(0)).toThrow(expect.objectContaining({ code: 'target_busy' }));
    giveUp.abort();
    for (const error of await Promise.all(sent)) expect(error).toMatchObject({ reason: 'aborted' });
    await safeFetch.close();
  },
);

it('logs the opening and the closing of a circuit', async () => {
  const logged: string[] = [];
  const { guard, safeFetch } = createGuardedClient({
    allow: '127.0.0.1',
    requestsMax: 64,
    agentRequestsPerSecondMax: 10_000,
    logger: { warn: ({ agent_id }, message) => void logged.push(`${agent_id}: ${message}`) },
  });
  const url = await serve((request) => void request.socket.destroy());
  for (const callerId of ['a', 'b', 'c', 'd', 'e']) {
    const place = guard.enter({ url, agentId: 'one', callerId });
    place.failed(await failure(safeFetch(url)));
    place.leave();
  }
  expect(logged).toEqual(['one: the circuit of an agent has opened']);
  await safeFetch.close();
});
