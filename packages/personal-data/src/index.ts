export { KeyStoreUnavailableError } from './key-store/errors.ts';
export { type KeyStore, openKeyStore } from './key-store/key-store.ts';
export { keyStoreLimits } from './key-store/limits.ts';
export { rewrapKeys, type RewrapReport } from './key-store/rewrap.ts';
export { rowsToCheck } from './key-store/wrapped-by.ts';
export { type PersonalDataAccess, preparePersonalData } from './key-store/schema.ts';
export { type AgentKey, unwrapKey, type WrappedKey, type WrappingKey, wrappingKeyOf } from './sealing/agent-key.ts';
export { openText, type SealedAs, sealText } from './sealing/seal-text.ts';
