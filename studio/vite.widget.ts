import { defineConfig } from "vite";

// The notebook's widget: one module with its styles inside.
export default defineConfig({
  esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
  define: { "process.env.NODE_ENV": '"production"' },
  build: {
    outDir: "../src/lapwing/studio/static",
    emptyOutDir: false,
    target: "es2022",
    reportCompressedSize: false,
    cssCodeSplit: false,
    lib: { entry: "src/widget.ts", formats: ["es"], fileName: () => "widget.js" },
    rollupOptions: { output: { inlineDynamicImports: true } },
  },
});
