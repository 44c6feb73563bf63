import { type Setting, url } from './setting.ts';

/** Where the event log is: every address that `openEventLog` takes. */
export function eventLogUrl(): Setting<string> {
  return url('postgres:', 'postgresql:', 'esdb:', 'esdb+discover:', 'kurrentdb:', 'kurrentdb+discover:');
}
