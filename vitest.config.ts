import { defineConfig } from "vitest/config";

// What a test file needs of the machine is prepared once, before the first of them runs, and only where one of them runs.
const NEED_BROWSER = ["test/e2e/page*.test.ts"];
const NEED_GIT = ["test/action.test.ts"];
const NEED_POSTGRES = ["test/{contract,e2e,support}/**/*.test.ts", "src/{runner/shared,workflows/queue}/**/*.test.ts"];

export default defineConfig({
  test: {
    globalSetup: ["test/build-first.ts"],
    projects: [
      { extends: true, test: { name: "page", include: NEED_BROWSER, globalSetup: ["test/browser-first.ts"] } },
      { extends: true, test: { name: "git", include: NEED_GIT, globalSetup: ["test/git-first.ts"] } },
      {
        extends: true,
        test: {
          name: "postgres",
          include: NEED_POSTGRES,
          exclude: NEED_BROWSER,
          globalSetup: ["test/postgres-first.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{src,page,training,test,evals,benchmarks}/**/*.test.ts"],
          exclude: [...NEED_BROWSER, ...NEED_GIT, ...NEED_POSTGRES],
        },
      },
    ],
    // Limits for what never comes, not for what is slow: a browser or a server on a busy machine takes its time.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 90_000 } },
    // Two cores is the smallest machine this runs on; more forks only thrash there.
    maxWorkers: 2,
  },
});
