import { startProxy } from '@agent-trust/proxy-kit';
import { runService } from '@agent-trust/service-kit';
import { serveCalls } from './execute-call.ts';
import { createFallbackCache } from './fallback.ts';
import { createHeldBytes } from './held-bytes.ts';
import { createA2aWireForms } from './request/a2a-wire-forms.ts';
import { callProxySettings } from './settings.ts';
import { startSweeper } from './sweeper.ts';

await runService({
  name: 'call-proxy',
  settings: callProxySettings,
  start: (context) =>
    startProxy(
      context,
      { carried: 'calls', requestsMax: context.config.CALL_CONCURRENCY_MAX },
      async (deps, requestsMax) => {
        const own = { fallbacks: createFallbackCache(), wireForms: createA2aWireForms(), heldBytes: createHeldBytes() };
        await serveCalls({ ...deps, ...own }, requestsMax);
        return startSweeper(deps);
      },
    ),
});
