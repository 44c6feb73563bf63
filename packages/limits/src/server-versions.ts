/** The oldest major version of Postgres that takes the registry's statements: CREATE TABLE with the STORAGE of a column came with 16. */
export const postgresMajorMin = 16;
/** The oldest nats-server that has everything which the registry asks of it and of its JetStream. */
export const natsVersionMin = '2.9.0';

/**
 * Why a Postgres server cannot be used; null if it can.
 * @param versionNumber its `server_version_num`, such as 160004
 */
export function postgresVersionFault(versionNumber: number): string | null {
  const major = Math.floor(versionNumber / 10_000);
  return major >= postgresMajorMin
    ? null
    : `it is Postgres ${major}, and Postgres ${postgresMajorMin} or later is needed: upgrade the server, or name another one`;
}

/** Why a NATS server cannot be used; null if it can, and for a version that is not of the form 2.9.0. */
export function natsVersionFault(version: string): string | null {
  const [wanted, found] = [numbersOf(natsVersionMin), numbersOf(version)];
  if (wanted === null || found === null) return null;
  const at = found.findIndex((number, index) => number !== wanted[index]);
  return at === -1 || (found[at] ?? 0) > (wanted[at] ?? 0)
    ? null
    : `it is nats-server ${version}, and ${natsVersionMin} or later is needed: upgrade the server, or name another one`;
}

const numbersOf = (version: string): number[] | null => {
  const [, major, minor, patch] = /^v?(\d+)\.(\d+)\.(\d+)/u.exec(version) ?? [];
  return patch === undefined ? null : [Number(major), Number(minor), Number(patch)];
};
