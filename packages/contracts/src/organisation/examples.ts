import type { z } from 'zod';
import { exampleIds } from '../agent/examples.ts';
import type { orgPaymentWire } from './wire-output.ts';

export const exampleOrgPayment: z.infer<typeof orgPaymentWire> = {
  transaction_id: '0199c2f5-11aa-7b60-8d42-9f3a1c2b4d5e',
  receiver_agent_id: exampleIds.translator,
  caller_agent_id: exampleIds.buyer,
  amount: 0.05,
  amount_atomic: '50000',
  currency: 'USDC',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  settlement_rail: 'x402',
  network: 'base',
  payee_address: '0x1111111111111111111111111111111111111111',
  confirmation_ref: '0x2222222222222222222222222222222222222222222222222222222222222222',
  block_number: 25114703,
  settled_at: '2026-01-15T09:30:02.000Z',
};
