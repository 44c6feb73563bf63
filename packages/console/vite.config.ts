import { defineConfig } from 'vite';

/** For `npm run dev`: where the registry runs. */
const registry = process.env['REGISTRY_URL'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  // Files name each other relative to themselves, so that the console also works below a path of a proxy.
  base: './',
  clearScreen: false,
  build: {
    // Browsers of 2024 and later; all of them know light-dark().
    target: ['chrome123', 'firefox125', 'safari17.5'],
    // Every file is one that the gateway serves: a data: address would need a wider policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: true,
    // Few files, because each costs a request before anything is shown: what all pages need, what several share, charts, and each page.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'frame', tags: ['$initial'], priority: 3 },
            { name: 'chart', test: /[\\/]uplot[\\/]|[\\/]ui[\\/]chart\.tsx/u, priority: 2 },
            { name: 'shared', minShareCount: 3, priority: 1 },
          ],
        },
      },
    },
  },
  server: { proxy: { '^/(?!console(/|$))': registry } },
});
