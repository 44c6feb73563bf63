import type { TrustPolicy } from '@agent-trust/trust-policy';
import { capSwitchedOff } from './cap-switched-off.ts';
import { plainMean } from './plain-mean.ts';
import { rootsSwitchedOff } from './roots-switched-off.ts';
import type { Scoring } from './scoring.ts';

/** What takes the policy's place in the same simulation, to show that the gate is not met by just anything. */
export const controls = {
  'roots switched off': rootsSwitchedOff,
  'cap switched off': capSwitchedOff,
  'plain mean': plainMean,
} as const satisfies Record<string, (policy: TrustPolicy) => Scoring>;

export type ControlName = keyof typeof controls;
