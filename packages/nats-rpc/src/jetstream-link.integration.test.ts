/**
 * Bug: a NATS server whose JetStream is stuck keeps all that speaks to JetStream waiting, and what needs none of it too, over the same connection.
 * Method: a server without JetStream, in whose place the test answers, or not.
 */
import { startNatsServer } from '@agent-trust/embedded-servers';
import { waitFor } from '@agent-trust/test-kit';
import { expect, onTestFinished, test } from 'vitest';
import { connectJetStream, JetStreamSilentError } from './jetstream-link.ts';
import { connectPeer, recordingLogger } from './test-peers.ts';

const limits = { jetStreamProbeEveryMs: 30, jetStreamRetryMs: 30, jetStreamProbeTimeoutMs: 1_500 };

test('work is refused at once while JetStream does not answer, and done when it does again', async () => {
  const nats = await startNatsServer({ jetstream: false });
  onTestFinished(() => nats.stop());
  let answer: string | null = '{}';
  const server = await connectPeer({ natsUrl: nats.url, service: 'jetstream' });
  server.connection.subscribe('$JS.API.INFO', {
    callback: (_error, message) => void (answer === null || message.respond(answer)),
  });
  await server.connection.flush();
  const logger = recordingLogger();
  const link = await connectJetStream({ natsUrl: nats.url, service: 'caller', instanceId: 'a', limits, logger });
  onTestFinished(() => link.close());
  const work = (): Promise<string> => Promise.resolve('done');
  expect([link.answers(), await link.run(work)]).toEqual([true, 'done']);

  // Silent; switched off by the server for lack of disk.
  for (const fault of [null, '{"error":{"code":503,"err_code":10039}}']) {
    answer = fault;
    await waitFor(() => !link.answers());
    await expect(link.run(work)).rejects.toBeInstanceOf(JetStreamSilentError);
    answer = '{}';
    await waitFor(() => link.answers());
    expect(await link.run(work)).toBe('done');
  }
  expect(logger.lines.map(({ level }) => level)).toEqual(['error', 'info', 'error', 'info']);
});

test('a service starts while JetStream does not answer', async () => {
  const nats = await startNatsServer({ jetstream: false });
  onTestFinished(() => nats.stop());
  const link = await connectJetStream({ natsUrl: nats.url, service: 'caller', instanceId: 'a', limits });
  expect(link.answers()).toBe(false);
  await link.close();
  expect(link.answers()).toBe(false);
});
