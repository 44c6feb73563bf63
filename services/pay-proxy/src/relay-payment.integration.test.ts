import { relayPayment as contract } from '@agent-trust/contracts';
import { startNatsServer } from '@agent-trust/embedded-servers';
import { connectRpc } from '@agent-trust/nats-rpc';
import { expect, onTestFinished, test } from 'vitest';
import { relayPayment } from './relay-payment.ts';

test('a relay is refused in plain words, also one that carries a body', async () => {
  const nats = await startNatsServer({ jetstream: false });
  const server = await connectRpc({ natsUrl: nats.url, service: 'pay-proxy', instanceId: 'one' });
  const gateway = await connectRpc({ natsUrl: nats.url, service: 'gateway', instanceId: 'one' });
  onTestFinished(async () => {
    await Promise.all([server.close(), gateway.close()]);
    await nats.stop();
  });
  await server.serveStream(contract, relayPayment);

  const bodies = [undefined, Buffer.alloc(1_000_000)];
  for (const body of bodies) {
    const opened = gateway.openStream(
      contract,
      {
        agentId: 'a',
        method: 'POST',
        payer: null,
        callerAgentId: null,
        callRef: null,
        query: '',
        headers: {},
        hasBody: false,
      },
      { body },
    );
    await expect(opened).rejects.toMatchObject({
      code: 'not_implemented',
      detail: expect.stringContaining('not available yet'),
    });
  }
  expect(server.status().runningHandlers).toBe(0);
});
