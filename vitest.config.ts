import { defineConfig } from "vitest/config";

/**
 * `vitest run` runs every test at full strength (`npm run test:all`). `vitest run --mode quick` (`npm test`) leaves out
 * `test/promises`, runs these of the files that need a browser or PostgreSQL, leaves out the slow ones of the others, and tries a
 * tenth of the random inputs (`test/support/inputs.ts`).
 */
const QUICK = {
  page: ["test/e2e/page.test.ts", "test/e2e/page-reader.test.ts"],
  postgres: ["test/contract/store/runs.test.ts"],
  // Half of the time for a twentieth of the tests: whole jobs, batches, killed processes, corpora, hostile files.
  slow: [
    "src/runner/{durable-model,ledger-in-a-file,batches/*}.test.ts",
    "src/tasks/trust/judges.test.ts",
    "src/text/parsing/parse-pool.test.ts",
    "src/tasks/books/{plan-next-draft,planned-calls,mask-injection}.test.ts",
    "src/tasks/trust/stress-with-models.test.ts",
    "test/e2e/books/{automation,evaluate-with-models,hostile-files,judging-cost,reading-corpus}.test.ts",
    "test/e2e/{calibration,command-judge,command-lines,ending,local-judge,mcp-assistant,package,paste-judge}.test.ts",
    "test/e2e/web-server/{drafts,jobs,questions,refusals,same-numbers,tokens}.test.ts",
    "test/fuzz/fuzz.test.ts",
    "training/personal/train-personal-model.test.ts",
  ],
};

// What a test file needs of the machine is prepared once, before the first of them runs, and only where one of them runs.
const PAGE = ["test/e2e/page*.test.ts"];
const GIT = ["test/action.test.ts"];
const POSTGRES = [
  "test/contract/{copy-store,store/*}.test.ts",
  "test/support/postgres.test.ts",
  "test/e2e/shared-work/*.test.ts",
  "src/{runner/shared,queue}/**/*.test.ts",
];
const COMMANDS = ["test/e2e/**/*.test.ts"];
const PROMISES = ["test/promises/**/*.test.ts"];

export default defineConfig(({ mode }) => {
  const isQuick = mode === "quick";
  const slow = isQuick ? QUICK.slow : [];
  return {
    test: {
      globalSetup: ["test/build-first.ts"],
      provide: { shareOfInputs: isQuick ? 0.1 : 1 },
      projects: [
        {
          extends: true,
          test: {
            name: "page",
            include: isQuick ? QUICK.page : PAGE,
            globalSetup: ["test/browser-first.ts", ...(isQuick ? [] : ["test/office-first.ts"])],
          },
        },
        { extends: true, test: { name: "git", include: GIT, globalSetup: ["test/git-first.ts"] } },
        {
          extends: true,
          test: {
            name: "postgres",
            include: isQuick ? QUICK.postgres : POSTGRES,
            globalSetup: ["test/postgres-first.ts"],
          },
        },
        {
          extends: true,
          test: {
            name: "promises",
            include: isQuick ? [] : PROMISES,
            globalSetup: ["test/postgres-first.ts", "test/promises/install-first.ts"],
          },
        },
        {
          extends: true,
          test: { name: "commands", include: COMMANDS, exclude: [...PAGE, ...POSTGRES, ...slow] },
        },
        {
          extends: true,
          test: {
            name: "unit",
            include: ["{src,page,training,test,evals,benchmarks}/**/*.test.ts"],
            exclude: [...PAGE, ...GIT, ...POSTGRES, ...COMMANDS, ...PROMISES, ...slow],
          },
        },
      ],
      // Most of the time of a small test goes into loading what it tests: files share what one of them has loaded. Processes, not
      // threads: commands change the folder of theirs, and some tests ask how much processor time it took.
      pool: "forks",
      isolate: false,
      // The build is what users get: it runs as it is.
      server: { deps: { external: [/\/dist\//] } },
      // Limits for what never comes, not for what is slow: a browser or a server on a busy machine takes its time.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      expect: { poll: { timeout: 90_000 } },
      // Two cores is the smallest machine this runs on. The quick tests compute, and more workers only thrash there; of the others,
      // those of the page and of shared work wait for half of their time: for a browser, a server, a worker that is given up.
      maxWorkers: isQuick ? 2 : 3,
    },
  };
});
