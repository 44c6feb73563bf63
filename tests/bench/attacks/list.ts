import type { Attack } from './attack.ts';
import { callAttacks } from './call-attacks.ts';
import { idleStreams } from './idle-streams.ts';
import { matchAttacks } from './match-attacks.ts';

/** Every attack of `npm run bench -- attacks`, in the order of its report. */
export const attacks: readonly Attack[] = [...callAttacks, idleStreams, ...matchAttacks];
