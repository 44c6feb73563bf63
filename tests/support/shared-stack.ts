import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ensureConsole } from '@agent-trust/console/build';
import { startStack } from '@agent-trust/dev-stack';
import { startOidcIssuer } from '@agent-trust/test-kit/oidc-issuer';
import type { TestProject } from 'vitest/node';
import { beginsWithV1 } from './first-policy.ts';
import { startDomainOwners } from './domain-owners.ts';
import { directoryDomains, startKeyDirectories } from './key-directories.ts';
import { startCheckedGateways } from './openapi/checked-gateways.ts';
import { oidcAudience, oidcSettings } from './oidc-names.ts';
import { findSecrets } from './secrets-at-rest.ts';
import { callTimeoutMs, readModelWaitMs } from './stack-waits.ts';
import { startTraceCollector } from './trace-collector.ts';

/** The shared system, as the tests see it. */
export type SharedStack = {
  /** Two gateways of one registry, each behind a proxy that checks its answers against the OpenAPI document. */
  urls: readonly string[];
  /** The same gateways without their proxies: for bytes that are not HTTP, which no proxy forwards. */
  bareUrls: readonly string[];
  /** GET returns the violations of the OpenAPI document since the last GET, as an array of texts. */
  violationsUrl: string;
  adminKey: string;
  adminToken: string;
  /** EVENT_LOG_URL with a reader's credentials. */
  eventLogUrl: string;
  readModelsUrl: string;
  /** The log of every process, and in `traces.otlp` what the services export to a collector. */
  logsFolder: string;
  tracesFile: string;
  /** NATS_URL with the gateway's credentials. */
  gatewayNatsUrl: string;
  /** NATS_URL with a pay-proxy's credentials. */
  payProxyNatsUrl: string;
  registrySecret: string;
  webhookSecret: string;
  /** GET returns the stack's processes: `[{ name, pid, restarts }]`. */
  processesUrl: string;
  /** GET returns where each service serves its metrics: `[{ name, service, url }]`. */
  metricsUrl: string;
  /** Key directories of the test domains: PUT and GET `/<domain>/.well-known/http-message-signatures-directory`. */
  directoriesUrl: string;
  /** See `startDomainOwners`. */
  domainOwnersUrl: string;
  /** The issuer of operators' tokens; POST /token has it sign one. */
  oidcUrl: string;
};

declare module 'vitest' {
  export interface ProvidedContext {
    stack: SharedStack;
  }
}

const gatewayCount = 2;

/** Node's warnings of emitters with more listeners than they should ever have. */
const listenerLeaks = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .flatMap((name) =>
      readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .filter((line) => line.includes('MaxListenersExceededWarning'))
        .map((line) => `${name}: ${line}`),
    );

/** Starts one system for all end-to-end tests: two gateways, two call-proxies, and every log line kept. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await ensureConsole();
  const directories = await startKeyDirectories();
  const owners = await startDomainOwners();
  const issuer = await startOidcIssuer({ audience: oidcAudience });
  const collector = await startTraceCollector();
  const checked = await startCheckedGateways(gatewayCount);
  const stack = await startStack({
    ephemeral: true,
    fsync: false,
    env: {
      ...process.env,
      ...beginsWithV1,
      GATEWAYS: String(gatewayCount),
      // Links contain the address at which the tests reach the first gateway.
      BASE_URL: checked.urls[0],
      CALL_PROXIES: '2',
      CONSOLE: 'on',
      TRACE_URL: 'https://traces.test/trace/{trace_id}',
      CHAIN_EXPLORER_URL: ['base', 'base-sepolia']
        .flatMap((network) => [
          `${network}=https://${network}.scan.test/tx/{transaction}`,
          `${network}=https://${network}.scan.test/address/{address}`,
        ])
        .join(),
      CALL_TIMEOUT_MS: String(callTimeoutMs),
      READ_MODEL_WAIT_MS: String(readModelWaitMs),
      // The tests act as many clients, distinguished by X-Forwarded-For.
      TRUST_PROXY: '127.0.0.1',
      // Thousands of agents are registered from one address.
      REGISTRATIONS_PER_MINUTE: '0',
      LOG_LEVEL: 'trace',
      ACCESS_LINES_PER_SECOND: '100000',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER: 'parentbased_always_on',
      KEY_DIRECTORY_BASE: directoryDomains.map((domain) => `${domain}=${directories.url}/${domain}`).join(),
      ...owners.settings,
      ...oidcSettings(issuer.url),
    },
  });
  await checked.open(stack.urls);
  const logsFolder = join(stack.dataDir, 'logs');
  const tracesFile = join(logsFolder, 'traces.otlp');
  collector.file = tracesFile;
  const secrets = JSON.parse(readFileSync(stack.secretsFile, 'utf8')) as Record<string, string>;
  const processes = createServer(({ url }, response) =>
    response.end(JSON.stringify(url === '/metrics' ? stack.metrics() : stack.processes())),
  );
  processes.listen(0, '127.0.0.1');
  await once(processes, 'listening');
  const processesUrl = `http://127.0.0.1:${(processes.address() as AddressInfo).port}/`;
  const shared: SharedStack = {
    urls: checked.urls,
    bareUrls: stack.urls,
    violationsUrl: checked.violationsUrl,
    adminKey: stack.adminKey,
    adminToken: stack.adminToken,
    eventLogUrl: stack.environment['EVENT_LOG_URL'] ?? '',
    readModelsUrl: stack.environment['DATABASE_URL'] ?? '',
    logsFolder,
    tracesFile,
    gatewayNatsUrl: stack.natsUrl.replace('//', `//gateway:${secrets['NATS_GATEWAY_PASSWORD'] ?? ''}@`),
    payProxyNatsUrl: stack.natsUrl.replace('//', `//pay-proxy:${secrets['NATS_PAY_PROXY_PASSWORD'] ?? ''}@`),
    registrySecret: secrets['REGISTRY_SECRET'] ?? '',
    webhookSecret: secrets['WEBHOOK_SECRET'] ?? '',
    directoriesUrl: directories.url,
    domainOwnersUrl: owners.url,
    oidcUrl: issuer.url,
    processesUrl,
    metricsUrl: `${processesUrl}metrics`,
  };
  project.provide('stack', shared);

  return async () => {
    try {
      // Search again after the last file, whatever the order of the files.
      const keys = ['LOG_SIGNING_KEY', 'PERSONAL_DATA_KEY', 'WEBHOOK_SECRET'].flatMap((name) => secrets[name] ?? []);
      const found = await findSecrets(shared, keys);
      // Streams may have ended after the last test.
      const violations = await checked.take();
      const leaks = listenerLeaks(logsFolder);
      const restarted = stack.processes().filter(({ restarts }) => restarts > 0);
      if (found.length > 0) throw new Error(`secrets at rest after the tests: ${found.join('; ')}`);
      if (violations.length > 0)
        throw new Error(
          `answers that the OpenAPI document does not describe, after the tests:\n${violations.join('\n')}`,
        );
      if (leaks.length > 0) throw new Error(`listeners that add up:\n${leaks.join('\n')}`);
      if (restarted.length > 0)
        throw new Error(`restarted during the tests: ${restarted.map(({ name }) => name).join(', ')}`);
    } finally {
      processes.closeAllConnections();
      processes.close();
      directories.stop();
      await owners.stop();
      await issuer.stop();
      checked.stop();
      await stack.stop();
      collector.stop();
    }
  };
}
