import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "src/**/*.test.ts",
      "test/**/*.test.ts",
      "evals/**/*.test.ts",
      "benchmarks/**/*.test.ts",
      "training/**/*.test.ts",
    ],
    globalSetup: ["test/build-first.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A browser or a server on a busy machine takes its time; what is waited for comes, or the test has found something.
    expect: { poll: { timeout: 30_000 } },
    // Two cores is the smallest machine this runs on; more forks only thrash there.
    maxWorkers: 2,
  },
});
