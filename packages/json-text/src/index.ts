export { hasMember, isJsonText } from './is-json-text.ts';
