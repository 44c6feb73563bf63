import { carrierSettings, wholeNumber } from '@agent-trust/service-kit';
import { z } from 'zod';

export const callProxySettings = z.object({
  ...carrierSettings,
  /** Calls that one proxy carries at one time; more are answered `overloaded`. */
  CALL_CONCURRENCY_MAX: wholeNumber(1, 10_000).default(256),
});
