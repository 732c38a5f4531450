import type { Group } from "./command.ts";

/** Everything the command line can do, one line each. */
export const ROOT: Group = {
  summary: "Fabula reads book-length stories and says, with evidence, how good they are.",
  members: {
    ask: {
      summary: "Ask a book a question, answered with its passages",
      load: () => import("./commands/books/ask.ts"),
    },
    agree: { summary: "Measure how well scores agree with people", load: () => import("./commands/trust/agree.ts") },
    check: {
      summary: "Check a book without a model: what would stop a reader, with the passages",
      load: () => import("./commands/books/check.ts"),
    },
    compare: { summary: "Compare books two by two", load: () => import("./commands/books/compare.ts") },
    health: {
      summary: "Check whether a judge is steady and fair: repeats, biases, halo, scale, drift",
      load: () => import("./commands/trust/health.ts"),
    },
    map: {
      summary: "Map a manuscript: what can be counted, beside published novels",
      load: () => import("./commands/books/map.ts"),
    },
    probe: { summary: "Ask whether a judge already knows a book", load: () => import("./commands/trust/probe.ts") },
    replies: {
      summary: "Read verdicts from saved replies of any model",
      load: () => import("./commands/books/replies.ts"),
    },
    reproduce: {
      summary: "Compute a paper's figures again from its released data",
      load: () => import("./commands/trust/reproduce.ts"),
    },
    story: {
      summary: "The story bible of a book: cast, time line, scenes, threads",
      load: () => import("./commands/books/story.ts"),
    },
    stress: {
      summary: "Does a judge react to damage it should notice?",
      load: () => import("./commands/trust/stress.ts"),
    },
    trust: {
      summary: "Say which judge to trust, and how many more texts would settle it",
      load: () => import("./commands/trust/trust.ts"),
    },
    worker: { summary: "Join the queue of a shared store", load: () => import("./commands/queue/worker.ts") },
    limits: {
      summary: "What all workers may send to a provider, and each owner's share",
      load: () => import("./commands/queue/limits.ts"),
    },
    serve: { summary: "Open the web app in your browser", load: () => import("./commands/queue/serve.ts") },
    score: {
      summary: "Score many texts: one per line in, one set of verdicts per line out",
      load: () => import("./commands/books/score.ts"),
    },
    notes: {
      summary: "Line notes: sentences a professional editor would change, and why",
      load: () => import("./commands/books/notes.ts"),
    },
    demo: {
      summary: "Evaluate the story that ships with Fabula",
      load: () => import("./commands/books/demo.ts"),
    },
    mcp: {
      summary: "Serve Fabula's tools to AI assistants (Model Context Protocol)",
      load: () => import("./commands/queue/mcp.ts"),
    },
    rubric: {
      summary: "Rubrics of your own",
      members: {
        check: { summary: "Check a rubric file", load: () => import("./commands/books/rubric-check.ts") },
      },
    },
    prompts: {
      summary: "The prompts that Fabula sends",
      members: {
        list: { summary: "List them", load: () => import("./commands/prompts/list.ts") },
        show: { summary: "Print exactly what one would send", load: () => import("./commands/prompts/show.ts") },
      },
    },
    bench: {
      summary: "The novelist benchmark: where a writer stands among human novels",
      members: {
        prepare: { summary: "Choose chapters of a corpus", load: () => import("./commands/bench/prepare.ts") },
        synopsis: { summary: "Retell the chosen chapters", load: () => import("./commands/bench/synopsis.ts") },
        build: { summary: "Make a reference population", load: () => import("./commands/bench/build.ts") },
        run: { summary: "Have a writer model write, and place it", load: () => import("./commands/bench/run.ts") },
        place: { summary: "Place any text on a population", load: () => import("./commands/bench/place.ts") },
        leaderboard: {
          summary: "Make a leaderboard and its site in one command",
          load: () => import("./commands/bench/leaderboard.ts"),
        },
        report: {
          summary: "Rank writers from scores of their chapters",
          load: () => import("./commands/bench/report.ts"),
        },
        duel: { summary: "Compare writers head to head", load: () => import("./commands/bench/duel.ts") },
        freeze: { summary: "Freeze a benchmark in a version", load: () => import("./commands/bench/freeze.ts") },
        extend: { summary: "Add writers and judges to it", load: () => import("./commands/bench/extend.ts") },
        submit: { summary: "Check a submission to it", load: () => import("./commands/bench/submit.ts") },
        site: { summary: "Write its site from its data", load: () => import("./commands/bench/site.ts") },
        verify: { summary: "Make a site again and compare", load: () => import("./commands/bench/verify.ts") },
      },
    },
    runs: {
      summary: "List, resume and export runs",
      members: {
        list: { summary: "List the latest", load: () => import("./commands/runs/list.ts") },
        show: { summary: "Show one: calls, cost and failures", load: () => import("./commands/runs/show.ts") },
        resume: {
          summary: "Resume one; answers already paid for are reused",
          load: () => import("./commands/runs/resume.ts"),
        },
        pause: { summary: "Pause the workers of a shared run", load: () => import("./commands/runs/pause.ts") },
        cancel: { summary: "Cancel a shared run", load: () => import("./commands/runs/cancel.ts") },
        unpause: { summary: "Let the workers continue", load: () => import("./commands/runs/unpause.ts") },
        export: {
          summary: "Export its calls as JSONL, CSV or Parquet",
          load: () => import("./commands/runs/export.ts"),
        },
        copy: { summary: "Copy a whole store into another", load: () => import("./commands/runs/copy.ts") },
      },
    },
    settings: {
      summary: "Which folders' settings files count in full",
      members: {
        trust: { summary: "Trust a folder's settings", load: () => import("./commands/runs/settings-trust.ts") },
        untrust: { summary: "Trust them no longer", load: () => import("./commands/runs/settings-untrust.ts") },
      },
    },
    setup: {
      summary: "Find the judges that work here, try them out, choose one",
      load: () => import("./commands/runs/setup.ts"),
    },
    models: {
      summary: "List the providers and models that can judge, with prices and context lengths",
      load: () => import("./commands/runs/models.ts"),
    },
    doctor: {
      summary: "Show what is configured, reachable and missing, and what models cost",
      load: () => import("./commands/runs/doctor.ts"),
    },
    completions: {
      summary: "Print completions for bash, zsh or fish",
      load: () => import("./commands/runs/completions.ts"),
    },
    evaluate: {
      summary: "Judge books aspect by aspect, with evidence",
      load: () => import("./commands/books/evaluate.ts"),
    },
    read: {
      summary: "Read books: chapters, words, language, what was cleaned away",
      load: () => import("./commands/books/read.ts"),
    },
    forecast: {
      summary: "Forecast how readers will rate a book or an outline",
      load: () => import("./commands/books/forecast.ts"),
    },
    reader: {
      summary: "Personal evaluation: what one reader is likely to think of a story",
      members: {
        profile: {
          summary: "Readers' profiles: earlier reviews, kept on this machine",
          members: {
            import: {
              summary: "Make one, or add to it, from a file of reviews",
              load: () => import("./commands/readers/profile-import.ts"),
            },
            list: { summary: "List them", load: () => import("./commands/readers/profile-list.ts") },
            show: {
              summary: "Show what a profile says about its reader",
              load: () => import("./commands/readers/profile-show.ts"),
            },
            export: {
              summary: "Write one's reviews as JSONL",
              load: () => import("./commands/readers/profile-export.ts"),
            },
            delete: { summary: "Delete one, for good", load: () => import("./commands/readers/profile-delete.ts") },
          },
        },
        predict: {
          summary: "Predict ratings from earlier reviews, without a model",
          load: () => import("./commands/readers/predict.ts"),
        },
        review: {
          summary: "Have a model review a story as one reader would",
          load: () => import("./commands/readers/review.ts"),
        },
        compare: {
          summary: "Predict which of two stories one reader would prefer",
          load: () => import("./commands/readers/compare.ts"),
        },
        rank: {
          summary: "Rank books by how much one reader would like them",
          load: () => import("./commands/readers/rank.ts"),
        },
        questions: {
          summary: "Rate these five: the ratings that would teach most about one reader",
          load: () => import("./commands/readers/questions.ts"),
        },
        curve: {
          summary: "Measure a judge by how many earlier reviews it is shown, and in which order",
          load: () => import("./commands/readers/curve.ts"),
        },
        dataset: {
          summary: "Build conversations to tune a personal judge on",
          load: () => import("./commands/readers/dataset.ts"),
        },
      },
    },
    reviews: {
      summary: "Raw reader reviews → aspect critiques → training data",
      members: {
        structure: {
          summary: "Turn raw reviews into critiques with a model",
          load: () => import("./commands/reviews/structure.ts"),
        },
        map: { summary: "Map free aspect names to the rubric", load: () => import("./commands/reviews/map.ts") },
        sample: { summary: "Sample reviews to match the ratings", load: () => import("./commands/reviews/sample.ts") },
        normalise: {
          summary: "Put all readers on one rating scale",
          load: () => import("./commands/reviews/normalise.ts"),
        },
        export: {
          summary: "Export training data for a model of readers",
          load: () => import("./commands/reviews/export.ts"),
        },
        analyse: {
          summary: "What drives books' ratings, aspect by aspect",
          load: () => import("./commands/reviews/analyse.ts"),
        },
        report: {
          summary: "Report what readers discuss, and how biased it is",
          load: () => import("./commands/reviews/report.ts"),
        },
      },
    },
    population: {
      summary: "Books of your own to compare with: figures of novels, or scores for percentiles",
      members: {
        build: {
          summary: "Build one from novels, or from one judge's evaluations of a collection",
          load: () => import("./commands/books/population-build.ts"),
        },
      },
    },
    qa: {
      summary: "Narrative question answering: clean data, right metrics, judged answers",
      members: {
        write: { summary: "Write questions about a novel", load: () => import("./commands/qa/write.ts") },
        exam: { summary: "Measure how well a model reads a book", load: () => import("./commands/qa/exam.ts") },
        clean: { summary: "Clean texts and repair summaries", load: () => import("./commands/qa/clean.ts") },
        filter: { summary: "Remove books that are not narratives", load: () => import("./commands/qa/filter.ts") },
        dedupe: { summary: "Remove near-identical questions", load: () => import("./commands/qa/dedupe.ts") },
        refine: { summary: "Correct questions and reference answers", load: () => import("./commands/qa/refine.ts") },
        audit: { summary: "Check a refinement blind, with people", load: () => import("./commands/qa/audit.ts") },
        review: { summary: "Apply and compare reviewers' decisions", load: () => import("./commands/qa/review.ts") },
        answer: { summary: "Have a model answer questions", load: () => import("./commands/qa/answer.ts") },
        score: { summary: "Compare answers with their references", load: () => import("./commands/qa/score.ts") },
        sample: { summary: "Draw questions for people to rate", load: () => import("./commands/qa/sample.ts") },
        rate: { summary: "Have people rate answers blind", load: () => import("./commands/qa/rate.ts") },
        agree: { summary: "Measure how well metrics agree with people", load: () => import("./commands/qa/agree.ts") },
        report: { summary: "Show what each stage removed", load: () => import("./commands/qa/report.ts") },
      },
    },
  },
};
