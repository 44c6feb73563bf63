export { hasMember, isJsonText } from './is-json-text.ts';
export { memberBytes, outside } from './outer-members.ts';
