import { followLogState, logStateHealth } from '@agent-trust/log-state';
import { connectJetStream, connectRpc } from '@agent-trust/nats-rpc';
import { busOptions, failWhenClosed, healthReport, reachBus, runService, timeToDrain } from '@agent-trust/service-kit';
import { privateProofSettings } from './domain-proof/settings.ts';
import { edgeParts } from './features/health/edge-parts.ts';
import { settings } from './settings.ts';
import { startGateway } from './start-gateway.ts';

await runService({
  name: 'gateway',
  settings,
  isEdge: true,
  start: async (context) => {
    const { config, logger, stopping, fail } = context;
    const bus = busOptions(context);
    const [rpc, jetstream] = await reachBus(context, Promise.all([connectRpc(bus), connectJetStream(bus)]));
    for (const { closed } of [rpc, jetstream]) failWhenClosed('the connection to NATS', closed, { stopping, fail });
    const watch = followLogState({ rpc, logger, stopping, fail });
    const started = await startGateway(config, logger, { rpc, jetstream, logState: watch });
    if (config.CLAIM_DELIVERY !== 'smtp') {
      const whose = config.CLAIM_DELIVERY === 'inline' ? 'an agent' : 'an agent without an organisation';
      logger.warn(
        `CLAIM_DELIVERY is ${config.CLAIM_DELIVERY}: whoever asks for a claim link of ${whose} with a contact_email gets it`,
      );
    }
    const unusual = privateProofSettings(config);
    if (unusual.length > 0) logger.warn(`${unusual.join(', ')}: whoever answers there can prove any domain`);
    return {
      details: { address: started.address, base_url: started.gateway.baseUrl },
      health: async () => healthReport({ ...(await edgeParts(started.gateway)), ...logStateHealth(watch) }),
      stop: async (timeoutMs) => {
        await started.stop(timeToDrain(timeoutMs));
        await jetstream.close();
        await rpc.close();
      },
    };
  },
});
