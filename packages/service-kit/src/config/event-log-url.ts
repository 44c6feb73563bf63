import { type Setting, url } from './setting.ts';

/** Where the event log is: every address that `openEventLog` takes. */
export const eventLogUrl = (): Setting<string> =>
  url('postgres:', 'postgresql:', 'esdb:', 'esdb+discover:', 'kurrentdb:', 'kurrentdb+discover:');
