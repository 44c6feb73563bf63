import { type CapabilityResolution, DomainError, type Universe } from '@agent-trust/contracts';
import { coalescedLookup } from '@agent-trust/limits';
import { queryLimits } from '../shared/limits.ts';
import { outcomeOf } from '../projector/read-models/capability-taxonomy/closeness.ts';
import { type KnownLabel, meaningOf } from '../projector/read-models/capability-taxonomy/known-labels.ts';
import {
  closeNames as rankingOf,
  type RankCandidates,
} from '../projector/read-models/capability-taxonomy/close-names.ts';
import { type EmbeddingRanking, findKnownLabels } from '../projector/read-models/capability-taxonomy/queries.ts';
import { universeKey } from '../projector/read-models/universe-key.ts';
import type { ReadModelDatabase } from '../shared/database.ts';
import { unknownState, type VisibleState } from '../shared/visible-state.ts';
import { heldLookup, heldValues } from './held-lookup.ts';
import { sharedTurns, type TurnLimits } from '../shared/shared-turns.ts';

/** A canonical capability that a required name stands for. */
export type ResolvedCapability = {
  required: string;
  canonical: string;
  /** 1 for the same capability, less for a close one. */
  similarity: number;
  how: 'exact' | 'alias' | 'close';
};

/** For whom names are resolved: `client` has a share of the turns, `signal` ends the wait for one. */
export type AskedBy = { client?: string | undefined; signal?: AbortSignal | undefined };

/** What each name means in a universe, in the order of the names. Names are in normal form. */
export type CapabilityResolver = (
  universe: Universe,
  names: readonly string[],
  by?: AskedBy,
) => Promise<CapabilityResolution[]>;

/** What an embedding model has to say of a name; nothing when there is no model, or none that answers in time. */
export type AskEmbeddings = (name: string) => Promise<EmbeddingRanking>;

const noEmbeddings: AskEmbeddings = async () => [];

const keyOf = (universe: string, name: string): string => JSON.stringify([universe, name]);

/**
 * Resolves names against the taxonomy: canonical names and aliases by one coalesced lookup, the others by ranking, few at a time; equal names are ranked once. An embedding model is queried before the wait for a ranking, so that no name holds a place at the
 * database while it waits for the model.
 *
 * @param closeNames how many names are ranked at one time, and how many may wait; clients take turns
 * @param visibleState while it is the same, names are answered from memory, close ones too
 * @throws DomainError `overloaded` when too many wait, or the signal aborted during the wait
 */
export function capabilityResolver(
  database: ReadModelDatabase,
  closeNames: TurnLimits,
  askEmbeddings: AskEmbeddings = noEmbeddings,
  visibleState: VisibleState = unknownState,
  rankCandidates: RankCandidates = rankingOf(database),
): CapabilityResolver {
  const lookup = coalescedLookup<KnownLabel[]>(async (keys) => {
    const asked = keys.map((key) => JSON.parse(key) as [universe: string, name: string]);
    const found = await findKnownLabels(
      database,
      [...new Set(asked.map(([, name]) => name))],
      [...new Set(asked.map(([universe]) => universe))],
    );
    const byLabel = Map.groupBy(found, ({ label }) => label);
    return new Map(asked.map(([universe, name]) => [keyOf(universe, name), byLabel.get(name) ?? []]));
  }, queryLimits.lookups);
  const known = heldLookup(lookup, visibleState, queryLimits.heldNames);
  const embeddingTurn = sharedTurns<EmbeddingRanking>(queryLimits.namesToEmbed);
  const nearestByMeaning = async (name: string, { signal, client }: AskedBy): Promise<EmbeddingRanking> => {
    try {
      return await embeddingTurn(name, () => askEmbeddings(name), signal, client);
    } catch (error) {
      // As when the model is away.
      if (error instanceof DomainError && error.code === 'overloaded') return [];
      throw error;
    }
  };
  const rankingTurn = sharedTurns<CapabilityResolution>(closeNames);
  const ranked = heldValues<CapabilityResolution>(visibleState, queryLimits.heldCloseNames);
  const rankInTurn = async (universe: string, name: string, by: AskedBy): Promise<CapabilityResolution> => {
    const embedding = await nearestByMeaning(name, by);
    const rank = async () => outcomeOf(name, await rankCandidates({ name, universe, embedding }));
    return rankingTurn(keyOf(universe, name), rank, by.signal, by.client);
  };
  const resolve = async (universe: string, name: string, by: AskedBy): Promise<CapabilityResolution> => {
    const key = keyOf(universe, name);
    const meaning = meaningOf((await known(key)) ?? [], universe);
    if (meaning !== null) return { name, outcome: meaning.how, canonical: meaning.canonical };
    return ranked(key, () => rankInTurn(universe, name, by));
  };
  return async (universe, names, by = {}) => {
    const refused = new AbortController();
    const signal = by.signal === undefined ? refused.signal : AbortSignal.any([by.signal, refused.signal]);
    try {
      const key = universeKey(universe);
      return await Promise.all(names.map((name) => resolve(key, name, { ...by, signal })));
    } catch (error) {
      // Nobody waits for the other names of a question that failed with one.
      refused.abort();
      throw error;
    }
  };
}

/**
 * The canonical names that meet each required name: the name itself, which agents may have from before it became an alias, its alias, or all
 * names that are close to it. Duplicates count once.
 */
export async function resolveCapabilities(
  resolve: CapabilityResolver,
  universe: Universe,
  required: readonly string[],
  by?: AskedBy,
): Promise<ResolvedCapability[]> {
  return (await resolve(universe, [...new Set(required)], by)).flatMap((resolution): ResolvedCapability[] => {
    const { name } = resolution;
    const itself: ResolvedCapability = { required: name, canonical: name, similarity: 1, how: 'exact' };
    if (resolution.outcome === 'alias') return [itself, { ...itself, canonical: resolution.canonical, how: 'alias' }];
    if (!('candidates' in resolution)) return [itself];
    const close = resolution.candidates.map((candidate): ResolvedCapability => {
      return { required: name, canonical: candidate.name, similarity: candidate.similarity, how: 'close' };
    });
    return [itself, ...close];
  });
}
