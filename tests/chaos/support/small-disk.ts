import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const mount = (folder: string, bytes: number): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder], { stdio: 'ignore' }).status === 0;

/** Whether this process may mount a disk: only root may, on Linux, and not in every container. */
export const canMountDisks = ((): boolean => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), 'chaos-disk-'));
  const isMounted = mount(folder, 65_536);
  if (isMounted) spawnSync('umount', [folder]);
  rmSync(folder, { recursive: true });
  return isMounted;
})();

/** Why a test about full disks does not run here; empty where it does. */
export const whyNoDisk = canMountDisks ? '' : ' (not run: only root can mount a small disk)';

export type SmallDisk = {
  /** Takes all that is free, and what is freed since. */
  fill(): void;
  free(): void;
  unmount(): void;
};

/** Mounts a disk of its own size on a folder, in memory. */
export function mountDisk(folder: string, bytes: number): SmallDisk {
  mkdirSync(folder, { recursive: true });
  if (!mount(folder, bytes)) throw new Error(`no disk can be mounted on ${folder}`);
  const filler = join(folder, 'filler');
  const piece = Buffer.alloc(4_096);
  return {
    fill: () => {
      const file = openSync(filler, 'a');
      try {
        for (;;) {
          const { bavail, bsize } = statfsSync(folder);
          const isRoomy = bavail * bsize > 1_048_576;
          writeSync(file, isRoomy ? Buffer.alloc(1_048_576) : piece);
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler, { force: true }),
    // Lazily: a server that was just killed may hold a file for a moment.
    unmount: () => void spawnSync('umount', ['-l', folder]),
  };
}
