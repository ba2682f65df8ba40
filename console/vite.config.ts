import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // The oldest browsers whose CSS supports light-dark().
  build: {
    target: "es2023",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The first visit needs nearly all of these scripts. One file compresses better than ten small ones.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: "design", test: /console\/(design|connections)\/.*\.tsx?$/ }] } },
    },
    reportCompressedSize: false,
  },
});
