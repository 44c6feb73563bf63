export { type ClientKey, type ClientRequest, clientKey, publicSigners, type SignedHeaders } from './public-signers.ts';
export { digestOf, freshNonce, keyOf, nowSeconds, signedHeaders, type SignedParts } from './signed.ts';
