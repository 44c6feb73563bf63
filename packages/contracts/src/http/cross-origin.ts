import { answerHeaders, secretHeaders } from './headers.ts';
import type { Headers, Route, RouteCredential } from './route.ts';
import { credentialHeaders } from './security-schemes.ts';

/** What web pages of another origin may ask of routes, and read of their answers (Fetch standard, "CORS protocol"). */
export type CrossOrigin = {
  readonly methods: readonly string[];
  readonly requestHeaders: readonly string[];
  readonly answerHeaders: readonly string[];
};

/** An operator's credentials have no business in a page. */
const ofOperators: readonly RouteCredential[] = ['admin_token', 'admin_key'];

/** Whether pages of other origins may use a route at all: none that only operators may, and none that says itself that it is for its own origin. */
export function isForPages({ credentials, answers }: Route): boolean {
  return (
    credentials.some((credential) => !ofOperators.includes(credential)) &&
    !Object.values(answers).some(({ headers = {} }) => 'Cross-Origin-Resource-Policy' in headers)
  );
}

/** What pages may do with routes, as their definitions have it; those that are not for pages add nothing. */
export function crossOriginOf(routes: readonly Route[]): CrossOrigin {
  const used = routes.filter(isForPages);
  return {
    methods: [...new Set(used.flatMap(methodsOf))],
    requestHeaders: withoutRepeats(used.flatMap(requestHeadersOf)),
    answerHeaders: withoutRepeats(used.flatMap(answerHeadersOf)),
  };
}

const methodsOf = ({ method, withoutHead }: Route): string[] =>
  method === 'GET' && withoutHead !== true ? ['GET', 'HEAD'] : [method];

/** Browsers say themselves where a page is from; it cannot. */
const saidByBrowsers = ['origin'];

const requestHeadersOf = ({ credentials, headers, relayed }: Route): string[] => [
  'Accept',
  'Content-Type',
  'X-Request-Id',
  ...credentials.filter((credential) => !ofOperators.includes(credential)).flatMap(credentialHeaders),
  ...namesOf(headers).filter((name) => !saidByBrowsers.includes(name.toLowerCase())),
  // Header of an answer that the public x402 clients send with a payment all the same; a page's payment would fail for it.
  ...(relayed === undefined ? [] : ['Access-Control-Expose-Headers']),
];

/** What every page may read (Fetch standard, "CORS-safelisted response-header name"), and what speaks to browsers and caches alone. */
const needNoLeave =
  /^(?:cache-control|content-language|content-length|content-type|expires|last-modified|pragma|vary|access-control-.+)$/iu;

const answerHeadersOf = ({ answers, relayed, secret }: Route): string[] =>
  [
    ...namesOf(answerHeaders),
    // Of refusals: each route may be busy, or unavailable for a moment.
    'Retry-After',
    ...(secret === true ? namesOf(secretHeaders) : []),
    ...Object.values(answers).flatMap(({ headers }) => namesOf(headers)),
    ...namesOf(relayed?.headers),
  ].filter((name) => !needNoLeave.test(name));

const namesOf = (headers: Headers | undefined): string[] => Object.keys(headers ?? {});

/** Case makes no difference in a header's name. */
const withoutRepeats = (names: readonly string[]): string[] =>
  [...new Map(names.toReversed().map((name) => [name.toLowerCase(), name])).values()].toReversed();
