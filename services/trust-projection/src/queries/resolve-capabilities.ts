import { type CapabilityResolution, DomainError, type Universe } from '@agent-trust/contracts';
import { queryLimits } from '../shared/limits.ts';
import { outcomeOf } from '../projector/read-models/capability-taxonomy/closeness.ts';
import { type KnownLabel, meaningOf } from '../projector/read-models/capability-taxonomy/known-labels.ts';
import {
  type EmbeddingRanking,
  findKnownLabels,
  rankCandidates,
} from '../projector/read-models/capability-taxonomy/queries.ts';
import { universeKey } from '../projector/read-models/universe-key.ts';
import type { ReadModelDatabase } from '../shared/database.ts';
import { coalescedLookup } from './lookup.ts';
import { sharedTurns } from '../shared/shared-turns.ts';

/** A canonical capability that a required name stands for. */
export type ResolvedCapability = {
  required: string;
  canonical: string;
  /** 1 for the same capability, less for a close one. */
  similarity: number;
  how: 'exact' | 'alias' | 'close';
};

/** What each name means in a universe, in the order of the names. Names are in normal form. `signal` ends the wait for a turn. */
export type CapabilityResolver = (
  universe: Universe,
  names: readonly string[],
  signal?: AbortSignal,
) => Promise<CapabilityResolution[]>;

/** What an embedding model has to say of a name; nothing when there is no model, or none that answers in time. */
export type AskEmbeddings = (name: string) => Promise<EmbeddingRanking>;

const noEmbeddings: AskEmbeddings = async () => [];

// Neither a name nor a universe can hold U+0000.
const separator = '\u0000';
const keyOf = (universe: string, name: string): string => `${universe}${separator}${name}`;
const partsOf = (key: string): { universe: string; name: string } => {
  const at = key.indexOf(separator);
  return { universe: key.slice(0, at), name: key.slice(at + 1) };
};

/**
 * Resolves names against the taxonomy: canonical names and aliases by one lookup that many questions share, the others by
 * how close they come. The latter is work for the database and done for few names at a time; the same name asked for by many is
 * ranked once. An embedding model is asked before a name waits for that, so that nobody waits at the database for a model.
 *
 * @param closeNames how many names are ranked at one time, and how many may wait
 * @throws DomainError `overloaded` when too many wait, or a name has waited until the signal aborted
 */
export function capabilityResolver(
  database: ReadModelDatabase,
  closeNames: { atOnceMax: number; waitingMax: number },
  askEmbeddings: AskEmbeddings = noEmbeddings,
): CapabilityResolver {
  const known = coalescedLookup<KnownLabel[]>(
    async (keys) => {
      const asked = keys.map(partsOf);
      const found = await findKnownLabels(
        database,
        [...new Set(asked.map(({ name }) => name))],
        [...new Set(asked.map(({ universe }) => universe))],
      );
      const byLabel = Map.groupBy(found, ({ label }) => label);
      return new Map(asked.map(({ universe, name }) => [keyOf(universe, name), byLabel.get(name) ?? []]));
    },
    {
      keysMax: queryLimits.lookupKeysMax,
      waitingMax: queryLimits.lookupsWaitingMax,
      roundTripsMax: queryLimits.lookupRoundTripsMax,
    },
  );
  const embeddingTurn = sharedTurns<EmbeddingRanking>(queryLimits.namesToEmbed);
  const nearestByMeaning = async (name: string, signal?: AbortSignal): Promise<EmbeddingRanking> => {
    try {
      return await embeddingTurn(name, () => askEmbeddings(name), signal);
    } catch (error) {
      // As when the model is away.
      if (error instanceof DomainError && error.code === 'overloaded') return [];
      throw error;
    }
  };
  const rankingTurn = sharedTurns<CapabilityResolution>(closeNames);
  const resolve = async (universe: string, name: string, signal?: AbortSignal): Promise<CapabilityResolution> => {
    const key = keyOf(universe, name);
    const meaning = meaningOf((await known(key)) ?? [], universe);
    if (meaning !== null) return { name, outcome: meaning.how, canonical: meaning.canonical };
    const embedding = await nearestByMeaning(name, signal);
    const rank = async () => outcomeOf(name, await rankCandidates(database, { name, universe, embedding }));
    return rankingTurn(key, rank, signal);
  };
  return (universe, names, signal) => Promise.all(names.map((name) => resolve(universeKey(universe), name, signal)));
}

/**
 * Which canonical names each required name may be met by: the name itself, as agents may still have it from before it became an alias,
 * what it is an alias of, or else all names that it is close to. Required twice it counts once.
 */
export async function resolveCapabilities(
  resolve: CapabilityResolver,
  universe: Universe,
  required: readonly string[],
  signal?: AbortSignal,
): Promise<ResolvedCapability[]> {
  return (await resolve(universe, [...new Set(required)], signal)).flatMap((resolution): ResolvedCapability[] => {
    const itself: ResolvedCapability = {
      required: resolution.name,
      canonical: resolution.name,
      similarity: 1,
      how: 'exact',
    };
    switch (resolution.outcome) {
      case 'alias':
        return [itself, { ...itself, canonical: resolution.canonical, how: 'alias' }];
      case 'clear':
      case 'ambiguous':
        return [
          itself,
          ...resolution.candidates.map(({ name, similarity }) => ({
            ...itself,
            canonical: name,
            similarity,
            how: 'close' as const,
          })),
        ];
      default:
        return [itself];
    }
  });
}
