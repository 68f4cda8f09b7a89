import { defineConfig } from "vite";

// The page: index.html and its assets, into the Python package.
export default defineConfig({
  base: "./",
  esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
  build: {
    outDir: "../src/lapwing/studio/static",
    emptyOutDir: true,
    target: "es2022",
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/v1": "http://127.0.0.1:8765" } },
  test: { include: ["test/**/*.test.ts"] },
} as never);
