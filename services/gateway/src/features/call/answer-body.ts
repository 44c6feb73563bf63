import { isUtf8 } from 'node:buffer';
import { isJsonText } from '@agent-trust/json-text';

/** An agent's answer as JSON text, for `body` of a call response. */
export type BodyText = string;

const jsonType = /^application\/(?:[a-z0-9!#$&^_.-]+\+)?json$/u;
const textType =
  /^(?:text\/.*|application\/(?:[a-z0-9!#$&^_.-]+\+)?(?:xml|yaml|toml|javascript|ecmascript|graphql|x-www-form-urlencoded|x-ndjson|jsonl))$/u;

/**
 * An agent's answer as JSON text. JSON objects and arrays stay as they are, byte for byte, so that no number loses digits and nesting may be
 * of any depth. Other JSON values must not be alone in `body`: a string stays that string, the others become a string of their JSON
 * text. Text is a string. Bytes of any other type are base64.
 */
export function bodyText(bytes: Buffer, contentType: string | null): BodyText {
  if (bytes.length === 0) return '""';
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (jsonType.test(type)) return jsonBody(decodeText(bytes, contentType));
  if (textType.test(type) || (type === '' && isUtf8(bytes))) return JSON.stringify(decodeText(bytes, contentType));
  return JSON.stringify(bytes.toString('base64'));
}

/** An answer that is declared as JSON and is not JSON is text. */
const jsonBody = (text: string): BodyText => {
  if (!isJsonText(text)) return JSON.stringify(text);
  const bare = text.trim();
  return /^[[{"]/u.test(bare) ? bare : JSON.stringify(bare);
};

/** Text in the charset that its type names, else UTF-8, without a byte order mark; invalid bytes become U+FFFD. */
const decodeText = (bytes: Buffer, contentType: string | null): string => {
  const label = /;\s*charset\s*=\s*"?([^";\s]+)/iu.exec(contentType ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
};
