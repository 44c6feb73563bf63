import { relayPayment as contract } from '@agent-trust/contracts';
import { openEventLog } from '@agent-trust/event-log';
import { connectRpc } from '@agent-trust/nats-rpc';
import { busAndLogHealth, failWhenClosed, runService, timeToDrain } from '@agent-trust/service-kit';
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
    failWhenClosed('the connection to NATS', rpc.closed, { stopping, fail });
    await rpc.serveStream(contract, relayPayment);
    return {
      ready: () => rpc.status().connected,
      health: () => busAndLogHealth({ bus: rpc, log }),
      stop: async (timeoutMs) => {
        await rpc.drain(timeToDrain(timeoutMs));
        await rpc.close();
        await log.close();
      },
    };
  },
});
