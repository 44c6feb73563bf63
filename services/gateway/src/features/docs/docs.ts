import { DomainError, docsFileRoute, docsRoute } from '@agent-trust/contracts';
import { answerFile } from './answer-file.ts';
import { docsFiles, docsIndex } from './files.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const docs: Endpoint = endpoint(docsRoute, ({ request, reply }) => answerFile(request, reply, docsIndex));

export const docsFile: Endpoint = endpoint(docsFileRoute, async ({ params, request, reply }) => {
  const file = docsFiles.get(params.file);
  if (file === undefined) throw new DomainError('route_not_found', 'there is nothing at this path');
  return answerFile(request, reply, file);
});
