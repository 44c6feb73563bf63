import { coalescedLookup } from '@agent-trust/limits';
import { openText, unwrapKey, type WrappedKey, type WrappingKey } from '@agent-trust/personal-data';
import sql from 'sql-template-tag';
import { queryLimits } from '../shared/limits.ts';
import type { AgentRecord } from '../projector/read-models/agent-directory/queries.ts';
import type { ReadModelDatabase } from '../shared/database.ts';

/** What an agent says of how to reach its people, or null where it says nothing or it was erased. */
export type OpenContactInfo = (agent: Pick<AgentRecord, 'contactInfo'>) => Promise<string | null>;

/** Opens contacts with the keys of that moment. Nothing is cached: once a key is destroyed, no instance shows its contact. */
export function contactInfoOpener(database: ReadModelDatabase, wrappingKey: WrappingKey): OpenContactInfo {
  const keyById = coalescedLookup<WrappedKey>(
    async (keyIds) => new Map((await findKeys(database, keyIds)).map((key) => [key.keyId, key])),
    queryLimits.lookups,
  );
  return async ({ contactInfo }) => {
    if (contactInfo === null) return null;
    const key = await keyById(contactInfo.keyId);
    return key === null ? null : openText(unwrapKey(wrappingKey, key), 'contactInfo', contactInfo);
  };
}

const findKeys = (database: ReadModelDatabase, keyIds: readonly string[]): Promise<WrappedKey[]> =>
  database.query<WrappedKey>(sql`
    SELECT key_id, agent_id, wrapped_key AS wrapped FROM personal_data.agent_key WHERE key_id = ANY (${keyIds}::text[])`);

/** Rejects when the keys cannot be read, or are wrapped with another PERSONAL_DATA_KEY: better at the start than at a question. */
export async function checkKeysOfPersonalData(database: ReadModelDatabase, wrappingKey: WrappingKey): Promise<void> {
  const [key] = await database.query<WrappedKey>(
    sql`SELECT key_id, agent_id, wrapped_key AS wrapped FROM personal_data.agent_key LIMIT 1`,
  );
  if (key !== undefined) unwrapKey(wrappingKey, key);
}
