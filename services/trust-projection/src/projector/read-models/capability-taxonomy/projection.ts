import { type CapabilityDefined, production, type Universe } from '@agent-trust/contracts';
import type { Rows } from '@agent-trust/projections';
import { aliasConfirmationsMin } from '@agent-trust/domain';
import { agents } from '../agent-directory/table.ts';
import { provenOrganisations } from '../org-domains/projection.ts';
import type { ProjectedRegistryEvent, RegistryProjection } from '../registry-event.ts';
import { universeKey } from '../universe-key.ts';
import {
  aliasSupports,
  capabilities,
  capabilityLabels,
  type CapabilityRow,
  learnedAliases,
  learnedCapabilities,
  undoneAliases,
} from './tables.ts';
import { productionKey } from './known-labels.ts';

/** The known agent whose names an event may make known: by changing them, or the universe that it lives in. */
const agentWhoseNamesChange = (event: ProjectedRegistryEvent): string | null => {
  switch (event.type) {
    case 'ConfigurationChanged':
    case 'ConfigurationPulled':
    case 'ConfigurationPromoted':
    case 'AgentPublished':
    case 'AgentWithdrawn':
      return event.data.agentId;
    default:
      return null;
  }
};

/**
 * What the registry defines (the seed taxonomy), and what it learns: each name that an agent has is canonical in the agent's universe, and
 * each confirmed alias is known there. Queries decide which of several meanings wins (`known-labels.ts`).
 */
export const capabilityTaxonomyProjection: RegistryProjection = {
  name: 'capability-taxonomy',
  schema: new URL('./schema.sql', import.meta.url),
  tables: [capabilities, capabilityLabels, learnedCapabilities, learnedAliases, aliasSupports, undoneAliases],
  readsFrom: [agents, provenOrganisations],
  reads: (event, wanted) => {
    if (event.type === 'AgentRegistered') {
      const universe = universeKey(event.data.universe);
      for (const { name } of event.data.configuration.capabilities) wanted.row(learnedCapabilities, name, universe);
      // Its answers about names come in the same batch, before its row is stored.
      if (event.data.orgId !== null) wanted.row(provenOrganisations, event.data.orgId);
    } else {
      const agentId = agentWhoseNamesChange(event);
      if (agentId !== null) wanted.row(agents, agentId);
    }
    if (event.type === 'CapabilityDefined' || event.type === 'CapabilityRetired') {
      wanted.row(capabilities, event.data.name);
    }
    if (event.type === 'AgentAdopted') wanted.row(provenOrganisations, event.data.orgId);
    if (event.type === 'CapabilityAliasConfirmed') wanted.row(undoneAliases, event.data.alias);
    if (event.type === 'CapabilityAliasUndone') wanted.row(learnedAliases, event.data.alias, productionKey);
    if (event.type === 'CapabilityConfirmationAnswered') {
      const { agentId, submitted, candidate, universe } = event.data;
      wanted.row(agents, agentId);
      wanted.row(aliasSupports, submitted, candidate);
      wanted.row(undoneAliases, submitted);
      for (const seen of universesSeenFrom(universe)) {
        wanted.row(learnedAliases, submitted, seen);
        wanted.row(learnedCapabilities, submitted, seen);
      }
    }
  },
  // Whose the agent is is only known once it is loaded; what registered or adopted it in the same batch names its organisation itself.
  readsThen: (event, rows, wanted) => {
    if (event.type !== 'CapabilityConfirmationAnswered') return;
    const orgId = rows.get(agents, event.data.agentId)?.orgId ?? null;
    if (orgId !== null) wanted.row(provenOrganisations, orgId);
  },
  apply: (event, rows) => {
    switch (event.type) {
      case 'CapabilityDefined':
        replaceDefinition(rows, event.data.name, capabilityRow(event.data, event.position));
        return;
      case 'CapabilityRetired':
        replaceDefinition(rows, event.data.name, null);
        return;
      case 'CapabilityConfirmationAnswered':
        learnAlias(rows, event.data);
        return;
      case 'CapabilityAliasConfirmed': {
        const { alias, name } = event.data;
        rows.put(learnedAliases, { alias, universe: productionKey, name });
        rows.delete(undoneAliases, alias);
        return;
      }
      case 'CapabilityAliasUndone':
        rows.delete(learnedAliases, event.data.alias, productionKey);
        rows.put(undoneAliases, { alias: event.data.alias });
        return;
      case 'AgentRegistered': {
        const universe = universeKey(event.data.universe);
        // Most are known, and to write one again costs as much as to learn it: the database computes what it is found by first.
        for (const { name } of event.data.configuration.capabilities) {
          if (rows.get(learnedCapabilities, name, universe) === undefined) {
            rows.put(learnedCapabilities, { name, universe });
          }
        }
        return;
      }
      default:
        learnNames(rows, agentWhoseNamesChange(event));
    }
  },
};

const capabilityRow = (
  { name, category, description, aliases, phrases }: CapabilityDefined['data'],
  definedPosition: bigint,
): CapabilityRow => ({ name, category, description, aliases, phrases, definedPosition });

const labelsOf = ({ name, aliases }: CapabilityRow): Set<string> => new Set([name, ...aliases]);

const replaceDefinition = (rows: Rows, name: string, row: CapabilityRow | null): void => {
  const old = rows.get(capabilities, name);
  const [labelsBefore, labels] = [old ? labelsOf(old) : new Set<string>(), row ? labelsOf(row) : new Set<string>()];
  if (row !== null) rows.put(capabilities, row);
  else if (old !== undefined) rows.delete(capabilities, name);
  for (const label of labelsBefore.difference(labels)) rows.delete(capabilityLabels, label, name);
  for (const label of labels.difference(labelsBefore)) rows.put(capabilityLabels, { label, name });
};

const universesSeenFrom = (universe: Universe): Set<string> =>
  new Set([universeKey(universe), universeKey(production)]);

/** A name that has a meaning already does not become an alias, for its users. So an alias is older than the same canonical name. */
const learnAlias = (
  rows: Rows,
  answer: Extract<ProjectedRegistryEvent, { type: 'CapabilityConfirmationAnswered' }>['data'],
): void => {
  const { submitted, candidate, universe, accepted } = answer;
  if (!accepted) return;
  for (const seen of universesSeenFrom(universe)) {
    if (rows.get(learnedAliases, submitted, seen) !== undefined) return;
    if (rows.get(learnedCapabilities, submitted, seen) !== undefined) return;
  }
  if (universe.kind === 'production' && !isConfirmedByEnough(rows, answer)) return;
  rows.put(learnedAliases, { alias: submitted, universe: universeKey(universe), name: candidate });
};

/**
 * Whether an answer in production makes an alias for everybody: one organisation with a proved domain is enough, else it takes several. An
 * agent without an organisation changes nothing for others. In a sandbox there is nobody else.
 */
const isConfirmedByEnough = (
  rows: Rows,
  {
    agentId,
    submitted: alias,
    candidate: name,
  }: Extract<ProjectedRegistryEvent, { type: 'CapabilityConfirmationAnswered' }>['data'],
): boolean => {
  const orgId = rows.get(agents, agentId)?.orgId ?? null;
  if (orgId === null || rows.get(undoneAliases, alias) !== undefined) return false;
  if (rows.get(provenOrganisations, orgId) !== undefined) return true;
  const before = rows.get(aliasSupports, alias, name)?.orgIds ?? [];
  if (before.includes(orgId)) return false;
  const orgIds = [...before, orgId];
  rows.put(aliasSupports, { alias, name, orgIds });
  return orgIds.length >= aliasConfirmationsMin;
};

const learnNames = (rows: Rows, agentId: string | null): void => {
  const after = agentId === null ? undefined : rows.get(agents, agentId);
  if (agentId === null || after === undefined) return;
  const before = rows.getBefore(agents, agentId);
  const known =
    before?.universe === after.universe
      ? new Set(before.configuration.capabilities.map(({ name }) => name))
      : new Set();
  for (const { name } of after.configuration.capabilities) {
    if (!known.has(name)) rows.put(learnedCapabilities, { name, universe: after.universe });
  }
};
