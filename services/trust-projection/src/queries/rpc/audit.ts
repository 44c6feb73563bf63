import { DomainError, listAgentEvents, listEvents, type LoggedEvent } from '@agent-trust/contracts';
import { orgIdOfName } from '@agent-trust/domain';
import type { RecordedEvent } from '@agent-trust/event-log';
import type { CallContext } from '@agent-trust/nats-rpc';
import { WaitForPositionError } from '@agent-trust/projections';
import { leafHash, logEntryOf, toHex } from '@agent-trust/transparency-log';
import type { z } from 'zod';
import { queryLimits } from '../../limits.ts';
import { type AuditQuestion, findAuditEvents, type FoundEvent } from '../../audit/audit-trail/find-events.ts';
import { ownerView, typesShownToOwners } from '../../audit/audit-trail/owner-view.ts';
import { type ReadEvents, readFound } from '../../audit/audit-trail/read-events.ts';
import { isSeenFrom } from '../agent-view.ts';
import { reach } from '../at-least.ts';
import { universeKey } from '../../projector/read-models/universe-key.ts';
import { sha256Hex } from '../../sha256-hex.ts';
import type { QueryContext } from './context.ts';

type Stretch = Pick<
  z.output<typeof listEvents.input>,
  'types' | 'correlationId' | 'from' | 'to' | 'after' | 'before' | 'order' | 'limit' | 'waitMs'
>;

/** What happened: to anybody, for operators; to an agent, for its owner. */
export async function serveAudit(context: QueryContext): Promise<void> {
  const { rpc, log, logRecord, queries } = context;
  const options = { concurrentMax: queryLimits.auditQueriesConcurrentMax };
  await rpc.serve(
    listEvents,
    async ({ agentId, organisation, ...stretch }, call) => {
      await untilRecorded(context, stretch, call);
      const orgId = organisation === null ? null : orgIdNamed(organisation);
      const question = { ...questionOf(stretch), agentId, orgId, universe: null };
      return answered(await readFound(log, await findAuditEvents(logRecord.database, question), loggedEvent));
    },
    options,
  );
  await rpc.serve(
    listAgentEvents,
    async ({ agentId, owner, ...stretch }, call) => {
      const agent = await queries.agentById(agentId);
      if (agent === null || agent.orgId !== owner.orgId || !isSeenFrom(agent, owner.universe)) {
        throw new DomainError('agent_not_found', `${JSON.stringify(agentId)} is none of your agents`);
      }
      await untilRecorded(context, stretch, call);
      const types = (stretch.types ?? typesShownToOwners).filter((type) => typesShownToOwners.includes(type));
      const question = {
        ...questionOf({ ...stretch, types }),
        agentId,
        orgId: null,
        universe: universeKey(owner.universe),
      };
      const found = await findAuditEvents(logRecord.database, question);
      const read = await readFound(log, found, (event) => ownerView(event, { agentId, ...owner }));
      // A stranger's request that is not named must not be found by its name either.
      const { correlationId } = stretch;
      const events = read.events.filter(({ requestId }) => correlationId === null || requestId === correlationId);
      return answered({ ...read, events });
    },
    options,
  );
}

/**
 * A page shows whatever was in the log when it was asked for, so nobody whose write was acknowledged misses it here; a follower waits for
 * the next event and asks with what there is then.
 */
const untilRecorded = async (
  { log, logRecord: { watcher } }: QueryContext,
  { after, before, waitMs }: Stretch,
  call: CallContext,
): Promise<void> => {
  const current = watcher.current();
  if (waitMs === 0) {
    // Of a stretch that has been passed nothing more can come.
    if (before !== null && current !== null && current >= BigInt(before) - 1n) return;
    const head = await log.headPosition();
    if (head !== null) await reach(watcher, String(head), call, queryLimits.atLeastWaitMs);
    return;
  }
  try {
    const timeoutMs = Math.min(waitMs, queryLimits.auditWaitMsMax, call.remainingMs());
    await watcher.waitFor(BigInt(after ?? -1) + 1n, { timeoutMs, signal: call.signal });
  } catch (error) {
    if (!(error instanceof WaitForPositionError)) throw error;
    if (error.reason === 'too_many_waiters') {
      throw new DomainError('overloaded', 'Too many followers wait for events; try again later.');
    }
    // Nothing came; that is an answer, too.
  }
};

const questionOf = ({ types, correlationId, from, to, after, before, order, limit }: Stretch) =>
  ({
    types,
    correlationId,
    from: from === null ? null : new Date(from),
    to: to === null ? null : new Date(to),
    after: after === null ? null : BigInt(after),
    before: before === null ? null : BigInt(before),
    order,
    limit,
  }) satisfies Partial<AuditQuestion>;

const loggedEvent = (event: RecordedEvent, { leafIndex }: FoundEvent): LoggedEvent => {
  const entry = logEntryOf(event);
  return {
    position: entry.position,
    eventId: entry.event_id,
    stream: entry.stream,
    revision: entry.revision,
    type: entry.type,
    recordedAt: entry.recorded_at,
    metadata: { ...entry.metadata },
    data: { ...entry.data },
    leafIndex: String(leafIndex),
    leafHash: toHex(leafHash(entry)),
  };
};

const answered = <Shown>({ events, upTo, seenTo, isCut }: ReadEvents<Shown>) => ({
  events,
  upTo: positionOrNull(upTo),
  seenTo: positionOrNull(seenTo),
  isCut,
});

const positionOrNull = (position: bigint | null): string | null =>
  position === null || position < 0n ? null : String(position);

/** As long as an organisation's id, which comes from its name. */
const orgIdPattern = /^[0-9a-f]{32}$/u;

const orgIdNamed = (organisation: string): string =>
  orgIdPattern.test(organisation) ? organisation : orgIdOfName(organisation, sha256Hex);
