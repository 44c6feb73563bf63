import type { Universe } from '@agent-trust/contracts';
import type { EventLog } from '@agent-trust/event-log';
import type { AgentRecord } from '../../projector/read-models/agent-directory/queries.ts';
import type { ReadModelDatabase } from '../../shared/database.ts';
import type { LogFollower } from '../../shared/log-follower.ts';
import type { OpenContactInfo } from '../contact-info.ts';
import type { RegistryQueries } from '../registry-queries.ts';

/** What the methods are served with. */
export type QueryContext = Pick<LogFollower, 'watcher' | 'reach'> & {
  queries: RegistryQueries;
  /** Null for an agent that is not seen from the universe. */
  findAgent: (agentId: string, universe: Universe) => Promise<AgentRecord | null>;
  database: ReadModelDatabase;
  openContactInfo: OpenContactInfo;
  log: EventLog;
};
