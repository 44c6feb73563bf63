import { EventLogSetupError } from '../errors.ts';

/** What a service does with the event log: it reads, or it also appends. */
export type LogUse = 'read' | 'append';

/** A right that a user of the event log lacks, or one that it has and its service must not have. */
export type RightsFault = {
  kind: 'missing' | 'excess';
  /** Such as `UPDATE on event_log.events`. */
  right: string;
  /** What ends it: a statement of SQL, or what to run. */
  mend: string;
};

/** The user of the event log, and what is wrong with its rights. */
export type RightsReport = { user: string; faults: readonly RightsFault[] };

/** How the rights of a service's user are checked. */
export type RightsCheck = {
  use: LogUse;
  /** Whether more rights than the service needs keep it from starting. */
  refusesExcess: boolean;
  /** Takes one line about rights that are in excess and allowed. */
  sayExcess: (line: string) => void;
};

/** Faults that a message names; more are counted. */
const namedMax = 4;

/** @throws EventLogSetupError with what to do, if a right is missing, or one is in excess and refused */
export function judgeRights({ user, faults }: RightsReport, { use, refusesExcess, sayExcess }: RightsCheck): void {
  const missing = faults.filter(({ kind }) => kind === 'missing');
  if (missing.length > 0) {
    const does = use === 'read' ? 'reads the event log' : 'reads the event log and appends to it';
    throw new EventLogSetupError(
      `the user ${user} of EVENT_LOG_URL lacks ${rightsOf(missing)}, and this service ${does}. ${mendsOf(missing)}`,
    );
  }
  if (faults.length === 0) return;
  const excess = `the user ${user} of EVENT_LOG_URL may do more than this service needs: ${rightsOf(faults)}`;
  if (!refusesExcess) return sayExcess(excess);
  throw new EventLogSetupError(`${excess}. ${mendsOf(faults)} Or set ALLOW_EXCESS_LOG_RIGHTS=true.`);
}

const rightsOf = (faults: readonly RightsFault[]): string =>
  listed(
    faults.map(({ right }) => right),
    ', ',
  );
const mendsOf = (faults: readonly RightsFault[]): string =>
  `To mend it: ${listed([...new Set(faults.map(({ mend }) => mend))], '; ')}.`;

const listed = (items: readonly string[], separator: string): string =>
  items.length <= namedMax
    ? items.join(separator)
    : `${items.slice(0, namedMax).join(separator)}${separator}and ${items.length - namedMax} more`;
