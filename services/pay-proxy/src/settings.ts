import { carrierSettings, wholeNumber } from '@agent-trust/service-kit';
import { z } from 'zod';

export const payProxySettings = z.object({
  ...carrierSettings,
  /** Payments that one proxy carries at one time; more are answered `overloaded`. */
  PAY_CONCURRENCY_MAX: wholeNumber(1, 10_000).default(256),
});
