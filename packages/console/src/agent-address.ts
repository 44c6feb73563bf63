/** The route of an agent's page. Its id is no last part: the router would drop a space at the end of the id, and show another agent. */
export const agentPage = '/agents/$agentId/page';

const inAddressBar = /^(\/agents\/[^/]+)\/?$/u;
const inRoutes = /^(\/agents\/[^/]+)\/page$/u;

/** Addresses end with the id, as everybody writes them; routes do not. */
export const agentAddress = {
  input: ({ url }: { url: URL }): URL => {
    url.pathname = url.pathname.replace(inAddressBar, '$1/page');
    return url;
  },
  output: ({ url }: { url: URL }): URL => {
    url.pathname = url.pathname.replace(inRoutes, '$1');
    return url;
  },
};
