import { createHash } from 'node:crypto';
import { networkId, type Settlement } from '@agent-trust/x402';

/** Hexadecimal references are case-insensitive; those of other chains are not. */
const comparable = (reference: string): string =>
  /^0x[0-9a-f]+$/iu.test(reference) ? reference.toLowerCase() : reference;

/** A UUID (version 8, RFC 9562 §5.8) of a SHA-256. */
const uuidOf = (text: string): string => {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');
};

/** The same id for each report of one transaction on one network, by any name of the network; without a transaction, that of payment and receiver. */
export function settlementIdOf(
  { network, confirmationRef }: Pick<Settlement, 'network' | 'confirmationRef'>,
  paid: { receiverAgentId: string; paymentDigest: string },
): string {
  return uuidOf(
    JSON.stringify(
      confirmationRef === null
        ? ['payment', paid.receiverAgentId, paid.paymentDigest]
        : ['transaction', network === null ? null : networkId(network), comparable(confirmationRef)],
    ),
  );
}
