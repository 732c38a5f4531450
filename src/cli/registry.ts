import type { Group } from "./command.ts";

/** All commands, one line each. */
export const ROOT: Group = {
  summary: "Fabula reads book-length stories and says, with evidence, how good they are.",
  members: {
    ask: {
      summary: "Ask a book a question, answered with its passages",
      load: async () => (await import("./commands/books/explore.ts")).askCommand,
    },
    agree: {
      summary: "Measure how well scores agree with people",
      load: async () => (await import("./commands/trust/agreement.ts")).agreeCommand,
    },
    check: {
      summary: "Check a book without a model: what would stop a reader, with the passages",
      readsBooks: true,
      load: async () => (await import("./commands/books/faults.ts")).checkCommand,
    },
    compare: {
      summary: "Compare books two by two",
      load: async () => (await import("./commands/books/judge.ts")).compareCommand,
    },
    health: {
      summary: "Check whether a judge is steady and fair: repeats, biases, halo, scale, drift",
      load: async () => (await import("./commands/trust/judges.ts")).healthCommand,
    },
    map: {
      summary: "Map a manuscript: what can be counted, beside published novels",
      readsBooks: true,
      load: async () => (await import("./commands/books/explore.ts")).mapCommand,
    },
    probe: {
      summary: "Ask whether a judge already knows a book",
      load: async () => (await import("./commands/trust/judges.ts")).probeCommand,
    },
    replies: {
      summary: "Read verdicts from saved replies of any model",
      load: async () => (await import("./commands/books/judge.ts")).repliesCommand,
    },
    reproduce: {
      summary: "Compute a paper's figures again from its released data",
      load: async () => (await import("./commands/trust/agreement.ts")).reproduceCommand,
    },
    story: {
      summary: "The story bible of a book: cast, time line, scenes, threads",
      load: async () => (await import("./commands/books/explore.ts")).storyCommand,
    },
    stress: {
      summary: "Does a judge react to damage it should notice?",
      load: async () => (await import("./commands/trust/judges.ts")).stressCommand,
    },
    trust: {
      summary: "Say which judge to trust, and how many more texts would settle it",
      load: async () => (await import("./commands/trust/judges.ts")).trustCommand,
    },
    worker: {
      summary: "Join the queue of a shared store",
      load: async () => (await import("./commands/queue/worker.ts")).workerCommand,
    },
    limits: {
      summary: "What all workers may send to a provider, and each owner's share",
      load: async () => (await import("./commands/queue/limits.ts")).limitsCommand,
    },
    serve: {
      summary: "Open the web app in your browser",
      load: async () => (await import("./commands/queue/serve.ts")).serveCommand,
    },
    score: {
      summary: "Score many texts: one per line in, one set of verdicts per line out",
      load: async () => (await import("./commands/books/judge.ts")).scoreCommand,
    },
    notes: {
      summary: "Line notes: sentences a professional editor would change, and why",
      readsBooks: true,
      load: async () => (await import("./commands/books/faults.ts")).notesCommand,
    },
    demo: {
      summary: "Evaluate the story that ships with Fabula",
      load: async () => (await import("./commands/books/evaluate.ts")).demoCommand,
    },
    mcp: {
      summary: "Serve Fabula's tools to AI assistants (Model Context Protocol)",
      load: async () => (await import("./commands/queue/serve.ts")).mcpCommand,
    },
    rubric: {
      summary: "Rubrics of your own",
      members: {
        check: {
          summary: "Check a rubric file",
          load: async () => (await import("./commands/books/judge.ts")).rubricCheckCommand,
        },
      },
    },
    prompts: {
      summary: "The prompts that Fabula sends",
      members: {
        list: { summary: "List them", load: async () => (await import("./commands/prompts/prompts.ts")).listCommand },
        show: {
          summary: "Print exactly what one would send",
          load: async () => (await import("./commands/prompts/prompts.ts")).showCommand,
        },
      },
    },
    bench: {
      summary: "The novelist benchmark: where a writer stands among human novels",
      members: {
        prepare: {
          summary: "Choose chapters of a corpus",
          load: async () => (await import("./commands/bench/benchmark.ts")).prepareCommand,
        },
        synopsis: {
          summary: "Retell the chosen chapters",
          load: async () => (await import("./commands/bench/benchmark.ts")).synopsisCommand,
        },
        build: {
          summary: "Make a reference population",
          load: async () => (await import("./commands/bench/benchmark.ts")).buildCommand,
        },
        run: {
          summary: "Have a writer model write, and place it",
          load: async () => (await import("./commands/bench/writers.ts")).runCommand,
        },
        place: {
          summary: "Place any text on a population",
          load: async () => (await import("./commands/bench/writers.ts")).placeCommand,
        },
        leaderboard: {
          summary: "Make a leaderboard and its site in one command",
          load: async () => (await import("./commands/bench/benchmark.ts")).leaderboardCommand,
        },
        report: {
          summary: "Rank writers from scores of their chapters",
          load: async () => (await import("./commands/bench/writers.ts")).reportCommand,
        },
        duel: {
          summary: "Compare writers head to head",
          load: async () => (await import("./commands/bench/writers.ts")).duelCommand,
        },
        book: {
          summary: "Have writers write whole books",
          load: async () => (await import("./commands/bench/writers.ts")).bookCommand,
        },
        freeze: {
          summary: "Freeze a benchmark in a version",
          load: async () => (await import("./commands/bench/frozen.ts")).freezeCommand,
        },
        extend: {
          summary: "Add writers and judges to it",
          load: async () => (await import("./commands/bench/frozen.ts")).extendCommand,
        },
        submit: {
          summary: "Check a submission to it",
          load: async () => (await import("./commands/bench/frozen.ts")).submitCommand,
        },
        site: {
          summary: "Write its site from its data",
          load: async () => (await import("./commands/bench/frozen.ts")).siteCommand,
        },
        verify: {
          summary: "Make a site again and compare",
          load: async () => (await import("./commands/bench/frozen.ts")).verifyCommand,
        },
      },
    },
    runs: {
      summary: "List, resume and export runs",
      members: {
        list: { summary: "List the latest", load: async () => (await import("./commands/runs/runs.ts")).listCommand },
        show: {
          summary: "Show one: calls, cost and failures",
          load: async () => (await import("./commands/runs/runs.ts")).showCommand,
        },
        resume: {
          summary: "Resume one; answers already paid for are reused",
          load: async () => (await import("./commands/runs/runs.ts")).resumeCommand,
        },
        pause: {
          summary: "Pause the workers of a shared run",
          load: async () => (await import("./commands/runs/runs.ts")).pauseCommand,
        },
        cancel: {
          summary: "Cancel a shared run",
          load: async () => (await import("./commands/runs/runs.ts")).cancelCommand,
        },
        unpause: {
          summary: "Let the workers continue",
          load: async () => (await import("./commands/runs/runs.ts")).unpauseCommand,
        },
        export: {
          summary: "Export its calls as JSONL, CSV or Parquet",
          load: async () => (await import("./commands/runs/runs.ts")).exportCommand,
        },
        copy: {
          summary: "Copy a whole store into another",
          load: async () => (await import("./commands/runs/runs.ts")).copyCommand,
        },
      },
    },
    settings: {
      summary: "Trust the settings files of folders",
      members: {
        trust: {
          summary: "Trust a folder's settings",
          load: async () => (await import("./commands/runs/setup.ts")).settingsTrustCommand,
        },
        untrust: {
          summary: "Stop trusting them",
          load: async () => (await import("./commands/runs/setup.ts")).settingsUntrustCommand,
        },
      },
    },
    setup: {
      summary: "Find the judges that work here, try them out, choose one",
      load: async () => (await import("./commands/runs/setup.ts")).setupCommand,
    },
    models: {
      summary: "List the providers and models that can judge, with prices and context lengths",
      load: async () => (await import("./commands/runs/models.ts")).modelsCommand,
    },
    doctor: {
      summary: "Show what is configured, reachable and missing, and what models cost",
      load: async () => (await import("./commands/runs/doctor.ts")).doctorCommand,
    },
    completions: {
      summary: "Print completions for bash, zsh or fish",
      load: async () => (await import("./commands/runs/completions.ts")).completionsCommand,
    },
    evaluate: {
      summary: "Judge books aspect by aspect, with evidence",
      readsBooks: true,
      load: async () => (await import("./commands/books/evaluate.ts")).evaluateCommand,
    },
    read: {
      summary: "Read books: chapters, words, language, what was cleaned away",
      readsBooks: true,
      load: async () => (await import("./commands/books/explore.ts")).readCommand,
    },
    forecast: {
      summary: "Forecast how readers will rate a book or an outline",
      load: async () => (await import("./commands/books/forecast.ts")).forecastCommand,
    },
    reader: {
      summary: "Personal evaluation: what one reader is likely to think of a story",
      members: {
        profile: {
          summary: "Readers' profiles: earlier reviews, kept on this machine",
          members: {
            import: {
              summary: "Make one, or add to it, from a file of reviews",
              load: async () => (await import("./commands/readers/profiles.ts")).profileImportCommand,
            },
            list: {
              summary: "List them",
              load: async () => (await import("./commands/readers/profiles.ts")).profileListCommand,
            },
            show: {
              summary: "Show what a profile says about its reader",
              load: async () => (await import("./commands/readers/profiles.ts")).profileShowCommand,
            },
            export: {
              summary: "Write one's reviews as JSONL",
              load: async () => (await import("./commands/readers/profiles.ts")).profileExportCommand,
            },
            delete: {
              summary: "Delete one permanently",
              load: async () => (await import("./commands/readers/profiles.ts")).profileDeleteCommand,
            },
          },
        },
        predict: {
          summary: "Predict ratings from earlier reviews, without a model",
          load: async () => (await import("./commands/readers/reader.ts")).predictCommand,
        },
        review: {
          summary: "Have a model review a story as one reader would",
          load: async () => (await import("./commands/readers/reader.ts")).reviewCommand,
        },
        compare: {
          summary: "Predict which of two stories one reader would prefer",
          load: async () => (await import("./commands/readers/reader.ts")).compareCommand,
        },
        rank: {
          summary: "Rank books by how much one reader would like them",
          load: async () => (await import("./commands/readers/reader.ts")).rankCommand,
        },
        questions: {
          summary: "Rate these five: the ratings that would teach most about one reader",
          load: async () => (await import("./commands/readers/reader.ts")).questionsCommand,
        },
        curve: {
          summary: "Measure a judge by how many earlier reviews it is shown, and in which order",
          load: async () => (await import("./commands/readers/reader.ts")).curveCommand,
        },
        dataset: {
          summary: "Build conversations to tune a personal judge on",
          load: async () => (await import("./commands/readers/reader.ts")).datasetCommand,
        },
      },
    },
    reviews: {
      summary: "Raw reader reviews → aspect critiques → training data",
      members: {
        structure: {
          summary: "Turn raw reviews into critiques with a model",
          load: async () => (await import("./commands/reviews/reviews.ts")).structureCommand,
        },
        map: {
          summary: "Map free aspect names to the rubric",
          load: async () => (await import("./commands/reviews/reviews.ts")).mapCommand,
        },
        sample: {
          summary: "Sample reviews to match the ratings",
          load: async () => (await import("./commands/reviews/reviews.ts")).sampleCommand,
        },
        normalise: {
          summary: "Put all readers on one rating scale",
          load: async () => (await import("./commands/reviews/reviews.ts")).normaliseCommand,
        },
        export: {
          summary: "Export training data for a model of readers",
          load: async () => (await import("./commands/reviews/reviews.ts")).exportCommand,
        },
        analyse: {
          summary: "What drives books' ratings, aspect by aspect",
          load: async () => (await import("./commands/reviews/reviews.ts")).analyseCommand,
        },
        report: {
          summary: "Report what readers discuss, and how biased it is",
          load: async () => (await import("./commands/reviews/reviews.ts")).reportCommand,
        },
      },
    },
    population: {
      summary: "Books of your own to compare with: figures of novels, or scores for percentiles",
      members: {
        build: {
          summary: "Build one from novels, or from one judge's evaluations of a collection",
          load: async () => (await import("./commands/books/population-build.ts")).populationBuildCommand,
        },
      },
    },
    qa: {
      summary: "Narrative question answering: clean data, right metrics, judged answers",
      members: {
        write: {
          summary: "Write questions about a novel",
          load: async () => (await import("./commands/qa/questions.ts")).writeCommand,
        },
        exam: {
          summary: "Measure how well a model reads a book",
          load: async () => (await import("./commands/qa/questions.ts")).examCommand,
        },
        clean: {
          summary: "Clean texts and repair summaries",
          load: async () => (await import("./commands/qa/data.ts")).cleanCommand,
        },
        filter: {
          summary: "Remove books that are not narratives",
          load: async () => (await import("./commands/qa/data.ts")).filterCommand,
        },
        dedupe: {
          summary: "Remove near-identical questions",
          load: async () => (await import("./commands/qa/data.ts")).dedupeCommand,
        },
        refine: {
          summary: "Correct questions and reference answers",
          load: async () => (await import("./commands/qa/data.ts")).refineCommand,
        },
        audit: {
          summary: "Check a refinement blind, with people",
          load: async () => (await import("./commands/qa/data.ts")).auditCommand,
        },
        review: {
          summary: "Apply and compare reviewers' decisions",
          load: async () => (await import("./commands/qa/data.ts")).reviewCommand,
        },
        answer: {
          summary: "Have a model answer questions",
          load: async () => (await import("./commands/qa/answers.ts")).answerCommand,
        },
        score: {
          summary: "Compare answers with their references",
          load: async () => (await import("./commands/qa/answers.ts")).scoreCommand,
        },
        sample: {
          summary: "Draw questions for people to rate",
          load: async () => (await import("./commands/qa/answers.ts")).sampleCommand,
        },
        rate: {
          summary: "Have people rate answers blind",
          load: async () => (await import("./commands/qa/answers.ts")).rateCommand,
        },
        agree: {
          summary: "Measure how well metrics agree with people",
          load: async () => (await import("./commands/qa/answers.ts")).agreeCommand,
        },
        report: {
          summary: "Show what each stage removed",
          load: async () => (await import("./commands/qa/data.ts")).reportCommand,
        },
      },
    },
  },
};
