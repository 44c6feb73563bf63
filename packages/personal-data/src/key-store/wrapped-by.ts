import { wrappedBytesWithoutId, type WrappingKey, wrappingKeyIdBytes } from '../sealing/agent-key.ts';

/** A statement for pg. */
type Statement = { text: string; values: unknown[] };

const columns = 'key_id AS "keyId", agent_id AS "agentId", wrapped_key AS wrapped';
const hasNoId = `octet_length(wrapped_key) = ${wrappedBytesWithoutId}`;
/** Whether a row names a wrapping key that is none of the first parameter. */
const isOfOthers = `(NOT ${hasNoId} AND substring(wrapped_key FROM 1 FOR ${wrappingKeyIdBytes}) <> ALL ($1::bytea[]))`;

/**
 * Rows by which a service knows at its start whether it can open all keys: any one, one of those without the id of a wrapping key, which one
 * value wrapped, and one that names an unknown wrapping key.
 */
export function rowsToCheck({ current, previous }: WrappingKey): Statement {
  const from = `SELECT ${columns} FROM personal_data.agent_key`;
  return {
    text: `(${from} LIMIT 1) UNION ALL (${from} WHERE ${hasNoId} LIMIT 1) UNION ALL (${from} WHERE ${isOfOthers} LIMIT 1)`,
    values: [[current, previous].flatMap((key) => (key === null ? [] : [key.id]))],
  };
}

/** Rows behind a key's id that the current wrapping key has not wrapped, in the order of their ids. */
export function rowsToRewrap({ current }: WrappingKey, afterKeyId: string, countMax: number): Statement {
  return {
    text: `SELECT ${columns} FROM personal_data.agent_key WHERE (${hasNoId} OR ${isOfOthers}) AND key_id > $2 ORDER BY key_id LIMIT $3`,
    values: [[current.id], afterKeyId, countMax],
  };
}

/** How many rows the current wrapping key has not wrapped, and how many there are. */
export function countOfRowsToRewrap({ current }: WrappingKey): Statement {
  return {
    text: `SELECT count(*) FILTER (WHERE ${hasNoId} OR ${isOfOthers})::integer AS remaining, count(*)::integer AS total FROM personal_data.agent_key`,
    values: [[current.id]],
  };
}
