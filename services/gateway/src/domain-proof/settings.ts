import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { X509Certificate } from 'node:crypto';
import { flag, list, setting, wholeNumber } from '@agent-trust/service-kit';

const isServer = (text: string): boolean => {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+))(?::(\d{1,5}))?$/iu.exec(text) ?? [];
  return (isIP(bracketed ?? plain ?? '') !== 0 || isIP(text) !== 0) && (port === undefined || Number(port) <= 65_535);
};

const readCertificates = (path: string): string | undefined => {
  try {
    const pem = readFileSync(path, 'utf8');
    return new X509Certificate(pem).ca ? pem : undefined;
  } catch {
    return undefined;
  }
};

/**
 * What proofs of domains rest on, if not on the name servers of the operating system, the authorities that Node trusts and the port of
 * https. Whoever answers there can prove any domain.
 */
export const domainProofSettings = {
  DOMAIN_PROOF_DNS: list(
    'addresses of name servers, each with an optional :port (IPv6 in brackets), separated by commas',
    (item) => (isServer(item) ? item : undefined),
  ).default([]),
  /** The value is the content of the file. */
  DOMAIN_PROOF_CA_FILE: setting(
    'the path of a file with the certificates of an authority in PEM',
    readCertificates,
  ).optional(),
  DOMAIN_PROOF_PORT: wholeNumber(1, 65_535).default(443),
  /** Whether these are meant where NODE_ENV is `production`. */
  ALLOW_PRIVATE_DOMAIN_PROOFS: flag().default(false),
};

type ProofSettings = {
  DOMAIN_PROOF_DNS: readonly string[];
  DOMAIN_PROOF_CA_FILE?: string | undefined;
  DOMAIN_PROOF_PORT: number;
};

/** The names of the settings by which proofs rest on something else than the public internet. */
export function privateProofSettings(settings: ProofSettings): string[] {
  const { DOMAIN_PROOF_DNS: dns, DOMAIN_PROOF_CA_FILE: ca, DOMAIN_PROOF_PORT: port } = settings;
  return [
    ...(dns.length > 0 ? ['DOMAIN_PROOF_DNS'] : []),
    ...(ca === undefined ? [] : ['DOMAIN_PROOF_CA_FILE']),
    ...(port === 443 ? [] : ['DOMAIN_PROOF_PORT']),
  ];
}
