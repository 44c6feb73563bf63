import { describe, expect, it } from 'vitest';
import { outboundLimits } from './limits.ts';
import type { OutboundError } from './outbound-error.ts';
import { client, failure, serve, serveRaw } from './testing/loopback.ts';

describe('cancelling a request', () => {
  const neverAnswering = (): Promise<string> => serveRaw(() => {});

  it('rejects at once if the signal was or is aborted, also while connecting', async () => {
    const url = await neverAnswering();
    expect(await failure(client()(url, { signal: AbortSignal.abort() }))).toMatchObject({ kind: 'aborted' });
    const waiting = new AbortController();
    const answer = failure(client()(url, { signal: waiting.signal }));
    waiting.abort(new Error('the caller left'));
    expect(await answer).toMatchObject({
      kind: 'aborted',
      cause: expect.objectContaining({ message: 'the caller left' }),
    });
    const connecting = new AbortController();
    const stuck = failure(
      client({ resolve: () => new Promise(() => {}) })('http://stuck.test/', { signal: connecting.signal }),
    );
    connecting.abort();
    expect(await stuck).toMatchObject({ kind: 'aborted' });
  });

  it.each(['signal', 'cancel', 'break'])(
    'closes the connection to the target in the middle of a body (%s)',
    async (how) => {
      const closed = Promise.withResolvers<void>();
      const url = await serve((_, response) => {
        response.on('close', closed.resolve);
        response.write('first');
      });
      const controller = new AbortController();
      const { body } = await client()(url, { signal: controller.signal });
      const read = (async () => {
        for await (const _ of body) {
          if (how === 'break') break;
          if (how === 'cancel') body.cancel();
          else controller.abort();
        }
      })();
      const kinds = await read.then(
        () => 'ended',
        (error: unknown) => (error as OutboundError).kind,
      );
      expect(kinds).toBe(how === 'break' ? 'ended' : 'aborted');
      await closed.promise;
    },
  );

  it('closes an unread body, without an unhandled rejection', async () => {
    const closed = Promise.withResolvers<void>();
    const url = await serve((_, response) => {
      response.on('close', closed.resolve);
      response.write('x');
    });
    await client()(url, { timeouts: { totalMs: 100 } });
    await expect(closed.promise).resolves.toBeUndefined();
  });

  it('distinguishes a failing request body from a failing target', async () => {
    const url = await serve((request, response) => void request.resume().on('end', () => response.end()));
    async function* body(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('a');
      throw new Error('the caller left');
    }
    expect(await failure(client()(url, { method: 'POST', body: body() }))).toMatchObject({ kind: 'aborted' });
  });

  it('limits the requests to one origin and accepts new ones when others end', async () => {
    const url = await neverAnswering();
    const fetch = client();
    const controller = new AbortController();
    const requestsPerOriginMax = outboundLimits.connectionsPerOriginMax * outboundLimits.requestsPerConnectionMax;
    const waiting = Array.from({ length: requestsPerOriginMax }, () =>
      failure(fetch(url, { signal: controller.signal })),
    );
    expect(await failure(fetch(url))).toMatchObject({ kind: 'unreachable', reason: 'too_many_requests' });
    controller.abort();
    await Promise.all(waiting);
    expect(await failure(fetch(url, { timeouts: { totalMs: 50 } }))).toMatchObject({ reason: 'total_timeout' });
  });

  it('the client can be closed with requests under way', async () => {
    const fetch = client();
    const answer = failure(fetch(await neverAnswering()));
    await fetch.close();
    expect(await answer).toMatchObject({ kind: 'aborted' });
    expect(await failure(fetch('http://127.0.0.1:8080/'))).toMatchObject({ kind: 'aborted', reason: 'client_closed' });
  });
});
