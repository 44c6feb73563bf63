/**
 * Names of networks in x402 v1, and the CAIP-2 ids that v2 has for them (x402 1.2.0, `EvmNetworkToChainId`; the genesis hashes of Solana
 * as in `@x402/svm`). One network has one identity, whatever a payment calls it.
 */
const idOfName: ReadonlyMap<string, string> = new Map([
  ['abstract', 'eip155:2741'],
  ['abstract-testnet', 'eip155:11124'],
  ['avalanche', 'eip155:43114'],
  ['avalanche-fuji', 'eip155:43113'],
  ['base', 'eip155:8453'],
  ['base-sepolia', 'eip155:84532'],
  ['educhain', 'eip155:41923'],
  ['iotex', 'eip155:4689'],
  ['peaq', 'eip155:3338'],
  ['polygon', 'eip155:137'],
  ['polygon-amoy', 'eip155:80002'],
  ['sei', 'eip155:1329'],
  ['sei-testnet', 'eip155:1328'],
  ['skale-base-sepolia', 'eip155:324705682'],
  ['solana', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
  ['solana-devnet', 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'],
  ['story', 'eip155:1514'],
]);

/** The CAIP-2 id of a network that goes by a name of v1; any other name is its own id. */
export function networkId(network: string): string {
  return idOfName.get(network) ?? network;
}
