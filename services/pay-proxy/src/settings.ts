import { baseSettings, eventLogUrl } from '@agent-trust/service-kit';
import { z } from 'zod';

export const payProxySettings = z.object({
  ...baseSettings,
  EVENT_LOG_URL: eventLogUrl(),
});
