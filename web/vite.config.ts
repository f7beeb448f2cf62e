import react from '@vitejs/plugin-react';
import { resolve } from 'node:path';
import { defineConfig } from 'vite';

/** The pure folders do nothing when they are imported, so what the page does not use of them is left out. */
const PURE = /\/src\/(base|api|core)\//;

// Also when a test builds it: the page is to be the one that people get, and React's other build is slow.
process.env['NODE_ENV'] = 'production';

/** Whoever builds the page from Node may give another `build.outDir`. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react()],
  build: {
    outDir: resolve(import.meta.dirname, '../dist/web'),
    emptyOutDir: true,
    // The server's content security policy allows no data: addresses.
    assetsInlineLimit: 0,
    // 160 kB when it is compressed, most of it React and Mantine, and needed on every page.
    chunkSizeWarningLimit: 600,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      treeshake: { moduleSideEffects: (id: string) => id.includes('/web/src/') || !PURE.test(id) },
    },
  },
});
