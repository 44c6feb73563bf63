export * from './builders.ts';
export { type Given, givenFor, type Then } from './given-when-then.ts';
