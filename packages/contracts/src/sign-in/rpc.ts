import { z } from 'zod';
import { operatorRole } from '../operator/role.ts';
import { unary } from '../rpc/method.ts';
import { sha256Hex } from '../text.ts';

/** A code that `npm start` has printed: its first use is answered with the role that it gives, any other with null. */
export const redeemStartCode = unary('supervisor', 'redeem_start_code', {
  input: z.object({ codeHash: sha256Hex }),
  output: z.object({ role: operatorRole.nullable() }),
});
