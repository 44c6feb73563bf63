import { randomUUID } from 'node:crypto';
import { agentStream, orgDomainStream, type RegistryEvent } from '@agent-trust/contracts';
import { orgDomainReservationLeaseSeconds } from '@agent-trust/domain';
import { agentRegistered, atSecond } from '@agent-trust/domain/testing';
import { type EventLog, EventLogUnavailableError } from '@agent-trust/event-log';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CommandDeps, RunningCommand } from '../run-command.ts';
import { agentStreams, orgDomainStreams } from '../stream-kinds.ts';
import { type SteppedLog, steppedLog } from '../testing/stepped-log.ts';
import { examineHolders } from './examine-holders.ts';

/*
 * Bug: for a domain with hundreds of holders hundreds of streams are read, although the first one settles the matter, or although the caller has
 * already got a refusal. Method: the real reads, counted.
 */
const domain = 'many.example';
const holders = Array.from({ length: 40 }, (_, index) => `holder-${index}`);
const request = { domain, agentId: 'newcomer', orgId: 'org-new', mayShare: false };

let log: SteppedLog;
let read: number;

const write = async (
  registry: (typeof agentStreams | typeof orgDomainStreams)['registry'],
  stream: string,
  event: RegistryEvent,
) => {
  const { type, data, schemaVersion } = registry.encode(event as never);
  const at = log.through(() => Promise.resolve());
  await at.append(stream, [{ eventId: randomUUID(), type, data, metadata: { schemaVersion } }], {
    expectedRevision: 'any',
  });
};
const has = (agentId: string): Promise<void> =>
  write(agentStreams.registry, agentStream(agentId), agentRegistered({ agentId, orgId: 'org-1', orgDomain: domain }));

beforeEach(async () => {
  log = steppedLog();
  read = -1; // the domain's own stream is read first
  for (const agentId of holders) {
    const data = { domain, agentId, orgId: 'org-1', reservedAt: atSecond(0) };
    await write(orgDomainStreams.registry, orgDomainStream(domain), { type: 'OrgDomainReserved', data });
  }
});

const examine = (remainingMs: () => number = () => 1_000) => {
  const counted = log.through(() => {
    read += 1;
    return Promise.resolve();
  });
  const running: RunningCommand = { now: atSecond(orgDomainReservationLeaseSeconds), metadata: {}, remainingMs };
  return examineHolders({ log: counted as EventLog } as CommandDeps, running, request);
};

describe('examining the holders of a domain', () => {
  it('reads all of them if none holds it any more', async () => {
    const examined = await examine();
    expect(examined.map(({ agentId }) => agentId)).toEqual(holders);
    expect(new Set(examined.map(({ standing }) => standing))).toEqual(new Set(['unused']));
    expect(read).toBe(40);
  });

  it.each([
    ['the first', 'holder-0', 16],
    ['one of the second batch', 'holder-20', 32],
  ])('reads no further batch if %s holds it', async (_, agentId, expected) => {
    await has(agentId);
    expect((await examine()).filter(({ standing }) => standing === 'stands')).toMatchObject([{ agentId }]);
    expect(read).toBe(expected);
  });

  it('ends at the deadline of its command', async () => {
    await expect(examine(() => (read < 16 ? 1 : 0))).rejects.toThrow(EventLogUnavailableError);
    expect(read).toBe(16);
  });
});
