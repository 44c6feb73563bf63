export { type ClientKey, type ClientRequest, clientKey, publicSigners, type SignedHeaders } from './public-signers.ts';
