import { relayPayment as contract } from '@agent-trust/contracts';
import { openEventLog } from '@agent-trust/event-log';
import { connectRpc } from '@agent-trust/nats-rpc';
import { runService } from '@agent-trust/service-kit';
import { healthOf } from './health.ts';
import { relayPayment } from './relay-payment.ts';
import { payProxySettings } from './settings.ts';

await runService({
  name: 'pay-proxy',
  settings: payProxySettings,
  start: async ({ name, config, logger, stopping, fail }) => {
    const log = await openEventLog(config.EVENT_LOG_URL, { applicationName: name });
    // Wrong settings of the log end the start here, with their own words, rather than the first payment.
    await log.headPosition();
    const rpc = await connectRpc({ natsUrl: config.NATS_URL, service: name, instanceId: config.INSTANCE_ID, logger });
    rpc.closed
      .then((cause) => {
        if (!stopping.aborted) fail(cause ?? new Error('the connection to NATS was closed'));
      })
      .catch(fail);
    await rpc.serveStream(contract, relayPayment);
    return {
      ready: () => rpc.status().connected,
      health: () => healthOf(rpc, log),
      stop: async () => {
        await rpc.drain();
        await rpc.close();
        await log.close();
      },
    };
  },
});
