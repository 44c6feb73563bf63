import { newSecret, type Secrets } from './data-folder.ts';
import {
  databasePasswordName,
  natsPasswordName,
  previousNameOf,
  serviceKinds,
  serviceSecretNames,
} from './services.ts';
import { StackError } from './stack-error.ts';

/** Every secret that the stack makes itself. */
const rotatable: readonly string[] = [
  ...serviceSecretNames,
  ...serviceKinds.flatMap(({ name, eventLog, personalData, readModels }) =>
    readModels || eventLog !== 'none' || personalData !== 'none'
      ? [natsPasswordName(name), databasePasswordName(name)]
      : [natsPasswordName(name)],
  ),
];

const needName = (name: string): void => {
  if (!rotatable.includes(name))
    throw new StackError(`${name} is no secret of the stack; there are ${rotatable.join(', ')}`);
};

/**
 * Gives a secret a new value. The present one becomes the previous one, which is still accepted, where the secret may have two.
 * @throws StackError for an unknown name, for a secret that was never made, and while the previous value of an earlier rotation is still there
 */
export function rotateSecret(secrets: Secrets, name: string): Secrets {
  needName(name);
  const present = secrets[name];
  if (present === undefined) throw new StackError(`${name} has no value yet: the first npm start makes one`);
  const previousName = previousNameOf(name);
  if (previousName === null) return { ...secrets, [name]: newSecret(name) };
  if (secrets[previousName] !== undefined)
    throw new StackError(
      `${name} was rotated before, and ${previousName} is still accepted: end that with npm run secrets:rotate -- --name ${name} --end, then rotate again`,
    );
  return { ...secrets, [previousName]: present, [name]: newSecret(name) };
}

/** The secret without which nothing that it has wrapped can ever be read again: its former values stay in the file, for backups and for a mistake. */
const irreplaceable = 'PERSONAL_DATA_KEY';

/** The name under which a value stays that is accepted no longer; null for a secret whose former values are of no use. */
export function endedNameOf(name: string, now: Date): string | null {
  return name === irreplaceable ? `${name}_ENDED_${now.toISOString()}` : null;
}

/** Removes the previous value of a secret. @throws StackError for an unknown name and for a secret without one */
export function endOverlap(secrets: Secrets, name: string, now: Date): Secrets {
  needName(name);
  const previousName = previousNameOf(name);
  const removed = previousName === null ? undefined : secrets[previousName];
  if (previousName === null || removed === undefined)
    throw new StackError(`${name} has no previous value that could be removed`);
  const { [previousName]: _removed, ...left } = secrets;
  const endedName = endedNameOf(name, now);
  return endedName === null ? left : { ...left, [endedName]: removed };
}

const natsOrDatabase = 'Restart the stack: services and server get the new value together.';

/** What to do after a rotation, in one line for each step. */
export function nextSteps(name: string): string[] {
  const end = `npm run secrets:rotate -- --name ${name} --end, and restart again`;
  switch (name) {
    case 'PERSONAL_DATA_KEY':
      return [
        'Restart the stack.',
        'While it runs: npm run secrets:rewrap',
        `When that reports that no key remains: ${end}.`,
      ];
    case 'REGISTRY_SECRET':
      return ['Restart the stack.', `After 24 hours, when no stored answer needs the previous value: ${end}.`];
    case 'WEBHOOK_SECRET':
      return [
        'Restart the stack: messages are signed with both secrets of their webhook from then on.',
        'Ask the organisations to fetch the new secret of each webhook: GET /org/webhooks/{webhook_id}/secret.',
        `When they have it: ${end}.`,
      ];
    case 'LOG_SIGNING_KEY':
      return [
        'Restart the stack: checkpoints carry both signatures from then on.',
        'Tell those who verify the log to take the new key as well: GET /log/key lists both.',
        `When they have it: ${end}.`,
      ];
    case 'ADMIN_KEY':
    case 'ADMIN_TOKEN':
      return ['Restart the stack, and give the new value to those who operate it: the former one ends there.'];
    default:
      return [natsOrDatabase];
  }
}
