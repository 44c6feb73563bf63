import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@agent-trust/embedded-servers';
import { waitFor } from '@agent-trust/test-kit';
import { findNginx } from '../support/nginx-program.ts';
import type { HelperProcess } from './helper-process.ts';

/** As many workers as the registry has proxies in the comparison: one. Connections to the agent are kept open. */
const configOf = (work: string, port: number, upstream: URL): string => `
daemon off;
worker_processes 1;
pid ${work}/nginx.pid;
error_log ${work}/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${work}/tmp/body;
  proxy_temp_path ${work}/tmp/proxy;
  fastcgi_temp_path ${work}/tmp/fastcgi;
  uwsgi_temp_path ${work}/tmp/uwsgi;
  scgi_temp_path ${work}/tmp/scgi;
  keepalive_requests 1000000;
  upstream agent { server ${upstream.host}; keepalive 64; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://agent;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
    }
  }
}
`;

/** A plain nginx in front of an agent, from PATH or unpacked from the distribution's package. If there is none, logs why and returns null. */
export async function startNginx(upstream: string, say: (line: string) => void): Promise<HelperProcess | null> {
  const work = mkdtempSync(join(tmpdir(), 'agent-trust-nginx-'));
  const tidy = (): void => rmSync(work, { recursive: true, force: true });
  try {
    const program = await findNginx(work);
    const port = await freePort();
    mkdirSync(join(work, 'tmp'), { recursive: true });
    // The worker process may run as another user.
    for (const folder of [work, join(work, 'tmp')]) chmodSync(folder, 0o777);
    const config = join(work, 'nginx.conf');
    writeFileSync(config, configOf(work, port, new URL(upstream)));
    const child = spawn(program, ['-p', work, '-c', config], { stdio: ['ignore', 'ignore', 'inherit'] });
    const url = `http://127.0.0.1:${port}`;
    const stop = async (): Promise<void> => {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      tidy();
    };
    try {
      await waitFor(async () => (await fetch(url)).ok, { description: 'nginx to answer' });
    } catch (error) {
      await stop();
      throw error;
    }
    return { url, stop };
  } catch (error) {
    tidy();
    say(`no nginx to compare with: ${(error as Error).message.split('\n')[0]}`);
    return null;
  }
}
