import { resolve } from 'node:path';
import { canonicalPolicy, BadPolicyError, type TrustPolicy } from '@agent-trust/trust-policy';
import { policiesByName } from '../../projector/activated-policies.ts';
import { readPolicyFile } from './read-policy-file.ts';

/**
 * The policy that an argument means: the file at that path, else the policy of that name, among those that come with the registry and
 * those that were ever in force.
 *
 * @param activated the policies of the log
 * @param folder where relative paths begin
 * @throws BadPolicyError that says what is wrong, and what there is
 */
export async function findPolicy(
  given: string,
  activated: readonly TrustPolicy[],
  folder: string,
): Promise<TrustPolicy> {
  const known = policiesByName(activated);
  const path = resolve(folder, given);
  const fromFile = await readPolicyFile(path);
  if (fromFile === null) {
    const named = known.get(given);
    if (named !== undefined) return named;
    throw new BadPolicyError(
      `${JSON.stringify(given)} is neither a file (${path}) nor the name of a policy; known are ${[...known.keys()].join(', ')}`,
    );
  }
  const earlier = known.get(fromFile.name);
  if (earlier !== undefined && canonicalPolicy(earlier) !== canonicalPolicy(fromFile)) {
    throw new BadPolicyError(
      `${path}: the name ${fromFile.name} belongs to a policy with other constants; choose another name`,
    );
  }
  return fromFile;
}
