import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './router.tsx';
import { signInByLink } from './session/link-sign-in.ts';
import { sessionStore } from './session/use-session.ts';
import './shell/global.css';

/** An answer is shown at once when a reader comes back to it within this time, and asked for again. */
const keptMs = 60_000;

const queries = new QueryClient({
  // The registry's refusals are shown at once, with a button that tries again.
  defaultOptions: { queries: { retry: false, staleTime: 5_000, gcTime: keptMs, networkMode: 'always' } },
});

// What was answered to other credentials is forgotten, not only out of sight.
sessionStore.subscribe(() => {
  const { epoch } = sessionStore.get();
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== epoch });
});

// Before anything reads the address: a code must not stay in it.
void signInByLink();
// A link that is pasted into an open tab changes the fragment alone.
addEventListener('hashchange', () => void signInByLink());

const place = document.getElementById('console');
if (place === null) throw new Error('index.html has no element with the id console');
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
