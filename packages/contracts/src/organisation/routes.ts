import { z } from 'zod';
import { email, orgName } from '../agent/fields.ts';
import { route } from '../http/route.ts';

export const createKeyRoute = route({
  method: 'POST',
  path: '/org/create-key',
  operationId: 'createOrganisation',
  summary: 'Create an organisation with its two API keys',
  tag: 'Organisations',
  credentials: ['admin_key'],
  body: z.object({ org_name: orgName, contact_email: email }).meta({ id: 'OrgCreateRequest' }),
  answers: {
    201: {
      description: 'Both keys, shown once.',
      body: z
        .object({ api_key: z.string(), sandbox_api_key: z.string(), org_name: z.string(), created_at: z.string() })
        .meta({ id: 'OrgCreateResponse' }),
    },
  },
  errors: ['validation_failed', 'invalid_admin_key', 'browser_request_refused', 'org_name_taken', 'read_model_behind'],
});

export const whoamiRoute = route({
  method: 'GET',
  path: '/org/whoami',
  operationId: 'whoami',
  summary: 'Which organisation and universe a key belongs to',
  tag: 'Organisations',
  credentials: ['organisation'],
  answers: {
    200: {
      description: 'The organisation.',
      body: z.object({ org_name: z.string(), is_sandbox: z.boolean() }).meta({ id: 'OrgWhoami' }),
    },
  },
  errors: ['credential_required', 'invalid_api_key'],
});
