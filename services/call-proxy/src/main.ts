import { startProxy } from '@agent-trust/proxy-kit';
import { carrierSettings, runService, wholeNumber } from '@agent-trust/service-kit';
import { z } from 'zod';
import { serveCalls } from './execute-call.ts';
import { createFallbackCache } from './fallback.ts';
import { createA2aWireForms } from './request/a2a-wire-forms.ts';
import { startSweeper } from './sweeper.ts';

await runService({
  name: 'call-proxy',
  settings: z.object({
    ...carrierSettings,
    /** Calls that one proxy carries at one time; more are answered `overloaded`. */
    CALL_CONCURRENCY_MAX: wholeNumber(1, 10_000).default(256),
  }),
  start: (context) =>
    startProxy(context, context.config.CALL_CONCURRENCY_MAX, async (deps, requestsMax) => {
      await serveCalls({ ...deps, fallbacks: createFallbackCache(), wireForms: createA2aWireForms() }, requestsMax);
      return startSweeper(deps);
    }),
});
