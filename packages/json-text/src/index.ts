export { asText, type JsonBounds, type JsonShape, jsonTextOf, readJson, writeJson } from './read-json.ts';
export { isJsonText, TooManyMembersError } from './scan.ts';
