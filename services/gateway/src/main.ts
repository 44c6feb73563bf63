import { connectRpc } from '@agent-trust/nats-rpc';
import { runService, timeToDrain } from '@agent-trust/service-kit';
import { settings } from './settings.ts';
import { startGateway } from './start-gateway.ts';

await runService({
  name: 'gateway',
  settings,
  start: async ({ config, logger, fail }) => {
    const rpc = await connectRpc({
      natsUrl: config.NATS_URL,
      service: 'gateway',
      instanceId: config.INSTANCE_ID,
      logger,
    });
    rpc.closed.then((cause) => {
      if (cause !== undefined) fail(cause);
    }, fail);
    const started = await startGateway(config, logger, rpc);
    if (config.CLAIM_DELIVERY !== 'smtp') {
      const whose = config.CLAIM_DELIVERY === 'inline' ? 'an agent' : 'an agent without an organisation';
      logger.warn(
        `CLAIM_DELIVERY is ${config.CLAIM_DELIVERY}: whoever asks for a claim link of ${whose} with a contact_email gets it`,
      );
    }
    return {
      details: { address: started.address, base_url: started.gateway.baseUrl },
      ready: () => rpc.status().connected,
      stop: async (timeoutMs) => {
        await started.stop(timeToDrain(timeoutMs));
        await rpc.close();
      },
    };
  },
});
