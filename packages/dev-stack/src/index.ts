export { makeDataFolder } from './make-data-folder.ts';
export { findRunningStack, type RunningStack } from './running-stack.ts';
export { StackError } from './stack-error.ts';
export { type Stack, type StackOptions, startStack } from './start-stack.ts';
export { type ServiceKind, serviceKinds } from './services.ts';
