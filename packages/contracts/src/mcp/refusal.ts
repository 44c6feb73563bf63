import { z } from 'zod';
import { errorBody } from '../errors.ts';

const fault = z.object({
  loc: z
    .array(z.union([z.string(), z.number()]))
    .describe('Where the fault is: "arguments", then the way to the value.'),
  msg: z.string().describe('What is wrong there, in words.'),
  type: z.string().describe('The kind of fault in a word.'),
});

/** How a tool refuses: an error body of the interface, whose faults lie in arguments, and what its header says of when to come again. */
export function toolRefusal(codes: readonly string[]) {
  return z
    .object({
      detail: z
        .union([z.string(), z.array(fault)])
        .describe('What is wrong: faults of arguments one by one, anything else in words.'),
      code: z.string().describe(`Why, in a word to switch on; of these, for one: ${codes.join(', ')}.`),
      request_id: errorBody.shape.request_id.describe('Finds this call in the logs of the registry.'),
      retry_after_seconds: z.int().optional().describe('When to try again, where that helps.'),
    })
    .describe('A refusal: isError is true.');
}
