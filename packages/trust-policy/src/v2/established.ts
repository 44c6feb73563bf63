import type { RulesV2 } from './rules.ts';

/** Whether an organisation is established: vouched for by enough others, or an anchor, and with a good standing record. */
export function isEstablishedOrganisation(
  { organisation, vouchers, standing }: { organisation: string; vouchers: number; standing: number },
  rules: RulesV2,
): boolean {
  const isVouchedFor = vouchers >= rules.establishedBy || rules.anchorsByName.has(organisation);
  return isVouchedFor && standing >= rules.establishedRecordMin;
}
