import type { RatingRecord, SealedText } from '@agent-trust/contracts';
import { coalescedLookup } from '@agent-trust/limits';
import {
  openText,
  rowsToCheck,
  type SealedAs,
  unwrapKey,
  type WrappedKey,
  type WrappingKey,
} from '@agent-trust/personal-data';
import sql from 'sql-template-tag';
import type { SealedRating } from '../projector/read-models/ratings/queries.ts';
import { queryLimits } from '../shared/limits.ts';
import type { ReadModelDatabase } from '../shared/database.ts';

/** A sealed text of an agent: a contact, or an answer to a review. Null where there is none or it was erased. */
export type OpenPersonalText = (as: SealedAs, sealed: SealedText | null) => Promise<string | null>;

/** Opens texts with the keys of that moment. Nothing is cached: once a key is destroyed, no instance shows what it sealed. */
export function personalTextOpener(database: ReadModelDatabase, wrappingKey: WrappingKey): OpenPersonalText {
  const keyById = coalescedLookup<WrappedKey>(
    async (keyIds) => new Map((await findKeys(database, keyIds)).map((key) => [key.keyId, key])),
    queryLimits.lookups,
  );
  return async (as, sealed) => {
    if (sealed === null) return null;
    const key = await keyById(sealed.keyId);
    return key === null ? null : openText(unwrapKey(wrappingKey, key), as, sealed);
  };
}

/** Ratings with the answers to them in clear. */
export function openRatings(open: OpenPersonalText, ratings: readonly SealedRating[]): Promise<RatingRecord[]> {
  return Promise.all(
    ratings.map(async ({ answer, ...rating }) => {
      if (answer === undefined) return rating;
      const text = await open({ answerTo: rating.transactionId }, answer.text);
      return { ...rating, answer: { ...answer, text } };
    }),
  );
}

const findKeys = (database: ReadModelDatabase, keyIds: readonly string[]): Promise<WrappedKey[]> =>
  database.query<WrappedKey>(sql`
    SELECT key_id, agent_id, wrapped_key AS wrapped FROM personal_data.agent_key WHERE key_id = ANY (${keyIds}::text[])`);

/** Rejects when the keys cannot be read, or one is wrapped with another PERSONAL_DATA_KEY: better at the start than at a question. */
export async function checkKeysOfPersonalData(database: ReadModelDatabase, wrappingKey: WrappingKey): Promise<void> {
  for (const key of await database.query<WrappedKey>(rowsToCheck(wrappingKey))) unwrapKey(wrappingKey, key);
}
