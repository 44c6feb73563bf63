import { baseSettings, carrierStopTimeout, eventLogUrl } from '@agent-trust/service-kit';
import { z } from 'zod';

export const payProxySettings = z.object({
  ...baseSettings,
  STOP_TIMEOUT_MS: carrierStopTimeout,
  EVENT_LOG_URL: eventLogUrl(),
});
