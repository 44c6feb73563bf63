import { baseSettings, url } from '@agent-trust/service-kit';
import { z } from 'zod';

export const payProxySettings = z.object({
  ...baseSettings,
  EVENT_LOG_URL: url('postgres:', 'postgresql:', 'esdb:', 'esdb+discover:', 'kurrentdb:', 'kurrentdb+discover:'),
});
