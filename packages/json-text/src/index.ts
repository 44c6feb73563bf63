export { asText, type JsonBounds, type JsonShape, jsonTextOf, readJson, writeJson } from './read-json.ts';
export { budgetOf, isJson, JsonBoundsError } from './scan.ts';
export { watchBounds } from './watch-bounds.ts';
