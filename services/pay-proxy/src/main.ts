import { startProxy } from '@agent-trust/proxy-kit';
import { carrierSettings, runService, wholeNumber } from '@agent-trust/service-kit';
import { z } from 'zod';
import { servePayments } from './relay-payment.ts';

await runService({
  name: 'pay-proxy',
  settings: z.object({
    ...carrierSettings,
    /** Payments that one proxy carries at one time; more are answered `overloaded`. */
    PAY_CONCURRENCY_MAX: wholeNumber(1, 10_000).default(256),
  }),
  start: (context) => startProxy(context, context.config.PAY_CONCURRENCY_MAX, servePayments),
});
