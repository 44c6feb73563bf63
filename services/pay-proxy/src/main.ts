import { startProxy } from '@agent-trust/proxy-kit';
import { runService } from '@agent-trust/service-kit';
import { servePayments } from './relay-payment.ts';
import { payProxySettings } from './settings.ts';

await runService({
  name: 'pay-proxy',
  settings: payProxySettings,
  start: (context) =>
    startProxy(context, { carried: 'payments', requestsMax: context.config.PAY_CONCURRENCY_MAX }, servePayments),
});
