import { type DailyLimits, limits } from '@agent-trust/contracts';
import { wholeNumber } from '@agent-trust/service-kit';

const perDay = () => wholeNumber(0, limits.perDayMax).default(0);

/** Limits of organisations for which the operator has set none; 0: no limit. */
export const usageSettings = {
  ORG_CALLS_PER_DAY: perDay(),
  ORG_REGISTRATIONS_PER_DAY: perDay(),
  ORG_READS_PER_DAY: perDay(),
};

export function defaultLimitsOf(settings: {
  ORG_CALLS_PER_DAY: number;
  ORG_REGISTRATIONS_PER_DAY: number;
  ORG_READS_PER_DAY: number;
}): DailyLimits {
  return {
    callsPerDay: settings.ORG_CALLS_PER_DAY,
    registrationsPerDay: settings.ORG_REGISTRATIONS_PER_DAY,
    readsPerDay: settings.ORG_READS_PER_DAY,
  };
}
