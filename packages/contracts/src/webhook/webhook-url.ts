import { limits } from '../limits.ts';
import { text } from '../text.ts';

const isWebhookUrl = (value: string): boolean => {
  // The WHATWG parser mends what a person would not recognise as the same address; see `endpointUrl`.
  if (!/^https:\/\/[^\s\\/?#][^\s\\#]*$/iu.test(value)) return false;
  const url = URL.parse(value);
  return url !== null && url.protocol === 'https:' && url.username === '' && url.password === '' && url.hostname !== '';
};

/** Where messages may be sent: https alone, since what they say must not be read or changed on the way. */
export const webhookUrl = text(limits.endpointUrlCharsMax, 1)
  .refine(isWebhookUrl, { message: 'must be an https URL without user information and fragment' })
  .meta({
    format: 'uri',
    description: 'Where messages are sent by POST: https, a public address, without user information and fragment.',
    examples: ['https://hooks.globex.example/trust'],
  });
