import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { consolePath } from './address.ts';
import { agentAddress, agentPage } from './agent-address.ts';
import { readAgentSearch } from './pages/agent/search.ts';
import { readAuditSearch } from './pages/audit/search.ts';
import { readHomeSearch } from './pages/home/search.ts';
import { readOrganisationSearch } from './pages/organisation/search.ts';
import { readPolicyLabSearch } from './pages/policy-lab/search.ts';
import { readRegistrySearch } from './pages/registry/search.ts';
import { readSystemSearch } from './pages/system/search.ts';
import { parseSearch, writeSearch } from './search.ts';
import { Layout } from './shell/layout.tsx';
import { NotFound } from './shell/not-found.tsx';
import { PageFailed } from './shell/page-failed.tsx';

const rootRoute = createRootRoute({ component: Layout, notFoundComponent: NotFound });
const getParentRoute = () => rootRoute;

/** Every page, by its address. The script of a page is loaded when it is opened; what its address says is read beforehand. */
const pages = [
  createRoute({
    getParentRoute,
    path: '/',
    validateSearch: readHomeSearch,
    component: lazyRouteComponent(() => import('./pages/home/page.tsx'), 'Page'),
  }),
  createRoute({
    getParentRoute,
    path: agentPage,
    validateSearch: readAgentSearch,
    // Nothing of one agent may stand under the name of another.
    remountDeps: ({ params }) => params,
    component: lazyRouteComponent(() => import('./pages/agent/page.tsx'), 'Page'),
  }),
  createRoute({
    getParentRoute,
    path: '/audit',
    validateSearch: readAuditSearch,
    component: lazyRouteComponent(() => import('./pages/audit/page.tsx'), 'Page'),
  }),
  createRoute({
    getParentRoute,
    path: '/registry',
    validateSearch: readRegistrySearch,
    component: lazyRouteComponent(() => import('./pages/registry/page.tsx'), 'Page'),
  }),
  createRoute({
    getParentRoute,
    path: '/system',
    validateSearch: readSystemSearch,
    component: lazyRouteComponent(() => import('./pages/system/page.tsx'), 'Page'),
  }),
  createRoute({
    getParentRoute,
    path: '/organisation',
    validateSearch: readOrganisationSearch,
    component: lazyRouteComponent(() => import('./pages/organisation/page.tsx'), 'Page'),
  }),
  createRoute({
    getParentRoute,
    path: '/policy-lab',
    validateSearch: readPolicyLabSearch,
    component: lazyRouteComponent(() => import('./pages/policy-lab/page.tsx'), 'Page'),
  }),
] as const;

export const router = createRouter({
  routeTree: rootRoute.addChildren(pages),
  basepath: consolePath,
  rewrite: agentAddress,
  parseSearch,
  stringifySearch: writeSearch,
  defaultPreload: 'intent',
  defaultErrorComponent: PageFailed,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
