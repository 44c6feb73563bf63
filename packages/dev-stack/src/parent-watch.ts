import { Socket } from 'node:net';

/** Calls `onEnd` when the bootstrap script that runs this task has ended, even if it was killed: it holds the other end of TASK_PARENT_FD. */
export function watchParent(onEnd: () => void, env: NodeJS.ProcessEnv = process.env): void {
  const fd = Number(env['TASK_PARENT_FD']);
  if (!(fd > 2)) return;
  // Not a file stream: its read would block a thread of the pool for ever, and with it the end of this process.
  const pipe = new Socket({ fd, readable: true, writable: false });
  pipe.once('error', () => undefined).once('close', onEnd);
  pipe.resume().unref();
}
