import { deprecationHeaders } from './deprecation.ts';
import { answerHeaders, secretHeaders } from './headers.ts';
import type { Headers, Route, RouteCredential } from './route.ts';
import { credentialHeaders } from './security-schemes.ts';

/** What web pages of another origin may send to routes, and read from their answers (Fetch standard, "CORS protocol"). */
export type CorsRules = {
  readonly methods: readonly string[];
  readonly requestHeaders: readonly string[];
  readonly answerHeaders: readonly string[];
};

/** An operator's credentials do not belong in a page. */
export const ofOperators: readonly RouteCredential[] = ['admin_token', 'admin_key', 'operator'];

/** Whether pages of other origins may use a route: not if only operators may call it, or if its answers are for their own origin. */
export function isOpenToPages({ credentials, answers }: Route): boolean {
  return (
    credentials.some((credential) => !ofOperators.includes(credential)) &&
    !Object.values(answers).some(({ headers = {} }) => 'Cross-Origin-Resource-Policy' in headers)
  );
}

/** The rules of routes, derived from their definitions. Routes that are not open to pages add nothing. */
export function corsRulesOf(routes: readonly Route[]): CorsRules {
  const used = routes.filter(isOpenToPages);
  return {
    methods: [...new Set(used.flatMap(methodsOf))],
    requestHeaders: withoutRepeats(used.flatMap(requestHeadersOf)),
    answerHeaders: withoutRepeats(used.flatMap(answerHeadersOf)),
  };
}

const methodsOf = ({ method, withoutHead }: Route): string[] =>
  method === 'GET' && withoutHead !== true ? ['GET', 'HEAD'] : [method];

/** Browsers set this header; pages cannot. */
const setByBrowsers = ['origin'];

const requestHeadersOf = ({ credentials, headers, relayed }: Route): string[] => [
  'Accept',
  'Content-Type',
  'X-Request-Id',
  ...credentials.filter((credential) => !ofOperators.includes(credential)).flatMap(credentialHeaders),
  ...namesOf(headers).filter((name) => !setByBrowsers.includes(name.toLowerCase())),
  // A header of answers, but public x402 clients send it with a payment: without it a page's payment would fail.
  ...(relayed === undefined ? [] : ['Access-Control-Expose-Headers']),
];

/** Headers that every page may read (Fetch standard, "CORS-safelisted response-header name"), or that are for browsers and caches alone. */
const alwaysReadable =
  /^(?:cache-control|content-language|content-length|content-type|expires|last-modified|pragma|vary|access-control-.+)$/iu;

const answerHeadersOf = ({ answers, relayed, secret, deprecated }: Route): string[] =>
  [
    ...namesOf(answerHeaders),
    // On refusals: any route may be busy or unavailable.
    'Retry-After',
    ...(secret === true ? namesOf(secretHeaders) : []),
    ...Object.values(answers).flatMap(({ headers }) => namesOf(headers)),
    ...namesOf(relayed?.headers),
    ...(deprecated === undefined ? [] : Object.keys(deprecationHeaders(deprecated))),
  ].filter((name) => !alwaysReadable.test(name));

const namesOf = (headers: Headers | undefined): string[] => Object.keys(headers ?? {});

/** Case makes no difference in a header's name. */
const withoutRepeats = (names: readonly string[]): string[] =>
  [...new Map(names.toReversed().map((name) => [name.toLowerCase(), name])).values()].toReversed();
