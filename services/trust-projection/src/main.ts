import { runService } from '@agent-trust/service-kit';
import { trustProjectionSettings } from './settings.ts';
import { startTrustProjection } from './start-trust-projection.ts';

await runService({
  name: 'trust-projection',
  settings: trustProjectionSettings,
  start: (context) => startTrustProjection(context.config, context.logger, context),
});
