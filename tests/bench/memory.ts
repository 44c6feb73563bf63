import { readFile } from 'node:fs/promises';

/** Proportional set size of processes in MiB: a shared page is split among the processes that share it (Linux only; null elsewhere). */
export async function memoryOf(pids: readonly number[]): Promise<number | null> {
  const sizes = await Promise.all(
    pids.map(async (pid) => {
      try {
        const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
        return Number(/^Pss:\s+(\d+) kB/mu.exec(rollup)?.[1] ?? 0) / 1024;
      } catch {
        return null;
      }
    }),
  );
  const known = sizes.filter((size) => size !== null);
  return known.length === 0 ? null : known.reduce((sum, size) => sum + size, 0);
}

/** A process and all of its descendants. */
export async function processTree(rootPids: readonly number[]): Promise<number[]> {
  const { readdir } = await import('node:fs/promises');
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc').catch(() => [] as string[])) {
    if (!/^\d+$/u.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    if (Number.isInteger(parent)) parents.set(Number(name), parent);
  }
  const found = new Set(rootPids);
  for (let grew = true; grew; ) {
    grew = false;
    for (const [pid, parent] of parents) {
      if (found.has(parent) && !found.has(pid)) {
        found.add(pid);
        grew = true;
      }
    }
  }
  return [...found];
}
