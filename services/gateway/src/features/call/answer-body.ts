import { isUtf8 } from 'node:buffer';
import { isJsonText } from '@agent-trust/json-text';

/** An agent's answer as it stands in `body` of a call response: JSON text. */
export type BodyText = string;

const jsonType = /^application\/(?:[a-z0-9!#$&^_.-]+\+)?json$/u;
const textType =
  /^(?:text\/.*|application\/(?:[a-z0-9!#$&^_.-]+\+)?(?:xml|yaml|toml|javascript|ecmascript|graphql|x-www-form-urlencoded|x-ndjson|jsonl))$/u;

/**
 * An agent's answer as JSON text. JSON objects and arrays stand as they came, byte for byte, so that no number loses digits and no
 * depth of nesting matters; other JSON values cannot stand alone in `body`, so a string is that string and the rest is its JSON
 * text in a string. Text is a string. Bytes of any other type are base64, unless they are nothing at all.
 */
export function bodyText(bytes: Buffer, contentType: string | null): BodyText {
  if (bytes.length === 0) return '""';
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (jsonType.test(type)) return jsonBody(decodeText(bytes, contentType));
  if (textType.test(type) || (type === '' && isUtf8(bytes))) return JSON.stringify(decodeText(bytes, contentType));
  return JSON.stringify(bytes.toString('base64'));
}

/** What an agent calls JSON and is none is text. */
const jsonBody = (text: string): BodyText => {
  if (!isJsonText(text)) return JSON.stringify(text);
  const bare = text.trim();
  return /^[[{"]/u.test(bare) ? bare : JSON.stringify(bare);
};

/** Text in the charset that its type names, else UTF-8; a byte order mark is dropped, bytes that are no text become U+FFFD. */
const decodeText = (bytes: Buffer, contentType: string | null): string => {
  const label = /;\s*charset\s*=\s*"?([^";\s]+)/iu.exec(contentType ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
};
