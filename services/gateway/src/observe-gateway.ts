import { observe } from '@agent-trust/metrics';
import type { Gateway } from './gateway.ts';

/** Reports what is under way at this gateway. Returns a function that ends that. */
export function observeGateway({ callLimiter, paymentLimiter }: Gateway): () => void {
  return observe((report) => {
    report('registry.calls.active', callLimiter.running());
    report('registry.calls.limit', callLimiter.allMax);
    report('registry.payments.active', paymentLimiter.running());
    report('registry.payments.limit', paymentLimiter.allMax);
  });
}
