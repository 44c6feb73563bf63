import { readdirSync, readFileSync } from 'node:fs';

const field = (file: string, name: string): number => {
  try {
    const line = readFileSync(file, 'utf8')
      .split('\n')
      .find((candidate) => candidate.startsWith(`${name}:`));
    return Number(line?.match(/\d+/u)?.[0] ?? 0) * 1_024;
  } catch {
    return 0;
  }
};

/** Resident memory of a process in bytes. */
export function rssBytes(pid: number | undefined): number {
  return field(`/proc/${pid}/status`, 'VmRSS');
}
/** The memory of a process with shared pages counted in proportion, so that a sum over processes counts each page once. */
export function pssBytes(pid: number): number {
  return field(`/proc/${pid}/smaps_rollup`, 'Pss');
}

const parentOf = (pid: number): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
};

/** A process and all of its current descendants. */
export function processTree(pid: number): number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/u.test(name))
      .map((name) => [Number(name), parentOf(Number(name))]),
  );
  const tree = [pid];
  for (const member of tree) for (const [child, parent] of parents) if (parent === member) tree.push(child);
  return tree;
}

export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}
