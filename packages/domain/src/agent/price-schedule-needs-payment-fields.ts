import { type AgentConfiguration, faultAt } from '@agent-trust/contracts';

const paymentFields = [
  ['paymentNetwork', 'payment_network'],
  ['paymentPayTo', 'payment_pay_to'],
  ['paymentAsset', 'payment_asset'],
] as const;

/**
 * Prices mean nothing without where and in what to pay. Refuses with `price_schedule_incomplete`. An empty schedule names no price.
 *
 * @param loc the field of the request that brought the prices
 */
export function ensurePaymentFieldsOfPrices(
  configuration: AgentConfiguration,
  loc: string[] = ['body', 'price_schedule'],
): void {
  if (configuration.priceSchedule === null || configuration.priceSchedule.length === 0) return;
  const missing = paymentFields.filter(([field]) => configuration[field] === null).map(([, name]) => name);
  if (missing.length > 0) {
    throw faultAt(
      'price_schedule_incomplete',
      loc,
      `price_schedule needs payment_network, payment_pay_to and payment_asset; missing: ${missing.join(', ')}`,
    );
  }
}
