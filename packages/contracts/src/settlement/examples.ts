import type { z } from 'zod';
import { exampleBaseUrl, exampleIds } from '../agent/examples.ts';
import { exampleOrgPayment } from '../organisation/examples.ts';
import type { settlementWire } from './wire-output.ts';

export const exampleSettlement: z.infer<typeof settlementWire> = {
  ...exampleOrgPayment,
  org_name: 'Globex',
  recorded_at: '2026-01-15T09:30:02.100Z',
  call_ref: exampleIds.transaction,
};

/** What an agent asks for, in the words of x402 v1, with the registry's address as the resource. */
export const exampleDemand: object = {
  x402Version: 1,
  error: 'X-PAYMENT header is required',
  accepts: [
    {
      scheme: 'exact',
      network: 'base',
      maxAmountRequired: '50000',
      resource: `${exampleBaseUrl}/pay/${exampleIds.translator}?call_ref=${exampleIds.transaction}`,
      description: 'One page',
      mimeType: 'application/json',
      payTo: '0x1111111111111111111111111111111111111111',
      maxTimeoutSeconds: 60,
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    },
  ],
};
