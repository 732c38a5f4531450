import { countOf } from "../../../core/wording.ts";
import {
  agreementHtml,
  agreementMarkdown,
  agreementTables,
  studyInWords,
  warningsInWords,
} from "../../../report/agreement/agreement-report.ts";
import {
  readerHtml,
  readerMarkdown,
  readerNotes,
  readerTables,
  voteAgreementHtml,
  voteAgreementMarkdown,
  voteAgreementNotes,
  voteAgreementTable,
} from "../../../report/agreement/reader-agreement.ts";
import type { ReportTable } from "../../../report/agreement/report-table.ts";
import {
  missingFigures,
  reasonsOf,
  reproductionHtml,
  reproductionMarkdown,
  reproductionTable,
} from "../../../report/reproduce/reproduction-report.ts";
import { loadPaper, PAPERS } from "../../../tasks/reproduce/paper.ts";
import { type Agreement, agreeTask, agreeVotesTask, reproduceTask } from "../../../tasks/trust/agreement.ts";
import type { ExitCode } from "../../command.ts";
import { runInWords } from "../../output/run-wording.ts";
import { showPlan } from "../../output/show-plan.ts";
import { textTable } from "../../output/table.ts";
import { checkedEnding, type ReportForms, writeReport } from "../../output/write-report.ts";
import { otherWay, type PresentationContext, taskCommand } from "../../task-command.ts";

const FLAGS = {
  out: { type: "string", value: "FILE", help: "write the report: .html with plots, .md or .json" },
} as const;

export const agreeCommand = taskCommand(agreeTask, {
  flags: FLAGS,
  usage: "Give one table: `fabula agree ratings.csv --human H --metric M`.",
  examples: [
    "fabula agree ratings.csv --human human --metric judge",
    "fabula agree scores.csv --human coherence --metric bertscore,rouge --system model --item prompt --out agreement.html",
    "fabula agree books.csv --human average_rating --evaluations evaluations/",
    "fabula agree books.csv --human average_rating --run 20260115-093012-k3fw",
    "fabula agree --votes votes.jsonl",
  ],
  prepare(input, { out }) {
    if (out !== undefined) checkedEnding(out, ["html", "md", "json"]);
    return input;
  },
  async present(agreement, context) {
    const { forms, text, exit } = outcomeOf(agreement);
    await showReport(forms, text, context);
    return exit;
  },
  others: [
    otherWay(agreeVotesTask, {
      flags: FLAGS,
      flag: "--votes",
      when: ({ votes }) => votes !== undefined,
      withOperands: "Give a table or --votes: votes name their judges and books themselves.",
      prepare(input, { out }) {
        if (out !== undefined) checkedEnding(out, ["html", "md", "json"]);
        return input;
      },
      async present(report, context) {
        const forms = { html: () => voteAgreementHtml(report), md: () => voteAgreementMarkdown(report) };
        await showReport(forms, inText(voteAgreementNotes(report), [voteAgreementTable(report)], []), context);
        return 0;
      },
    }),
  ],
});

async function showReport(
  forms: ReportForms,
  text: string,
  {
    flags: { out },
    terminal,
    document,
    show,
  }: Omit<PresentationContext, "flags" | "input"> & { readonly flags: { readonly out: string | undefined } },
): Promise<void> {
  if (out !== undefined) {
    await writeReport(out, { ...forms, json: () => `${document()}\n` });
    terminal.note(`Wrote ${out}`);
  }
  await show(() => text);
}

interface Outcome {
  readonly text: string;
  readonly forms: ReportForms;
  readonly exit: ExitCode;
}

function outcomeOf({ kind, report }: Agreement): Outcome {
  if (kind === "readers") {
    return {
      text: inText(readerNotes(report), readerTables(report), []),
      forms: { html: () => readerHtml(report), md: () => readerMarkdown(report) },
      exit: report.rows.some(({ overall }) => overall.missing > 0 || overall.kendall.value === null) ? 3 : 0,
    };
  }
  const warnings = warningsInWords(report).map((warning) => `! ${warning}`);
  const isUndefined = report.study.metrics.some(({ agreement: { pearson, spearman, kendall } }) =>
    [pearson, spearman, kendall].some(({ value }) => value === null),
  );
  return {
    text: inText(studyInWords(report), agreementTables(report), warnings),
    forms: { html: () => agreementHtml(report), md: () => agreementMarkdown(report) },
    // A requested figure that does not exist counts as unscored.
    exit: isUndefined ? 3 : 0,
  };
}

function inText(notes: readonly string[], tables: readonly ReportTable[], warnings: readonly string[]): string {
  const drawn = tables.map(({ title, headings, rows, note }) =>
    [title, textTable(headings, rows), ...(note ? [note] : [])].join("\n"),
  );
  return [notes.join("\n"), ...drawn, ...(warnings.length > 0 ? [warnings.join("\n")] : [])].join("\n\n");
}

export const reproduceCommand = taskCommand(reproduceTask, {
  usage: `Name one paper of ${PAPERS.join(", ")}: \`fabula reproduce literaryqa --data LiteraryQA/\`.`,
  helpList: async () => ({
    title: "Papers, with the files that go into the folder (each may end in .gz)",
    rows: await Promise.all(
      PAPERS.map(async (paper) => {
        const { files, get } = await loadPaper(paper);
        const needed = files.map(({ name, about, optional }) => {
          const file = name.endsWith("-") ? `${name}NAME.jsonl` : name;
          return `${file}${optional ? " (optional)" : ""}: ${about}`;
        });
        return { left: paper, right: `${needed.join(". ")}. From ${get}.` };
      }),
    ),
  }),
  flags: { out: { type: "string", value: "FILE", help: "write the report: .html, .md or .json" } },
  examples: [
    "fabula reproduce longstoryeval --data LongStoryEval/",
    "fabula reproduce longstoryeval --data LongStoryEval/ --set test",
    "fabula reproduce literaryqa --data LiteraryQA/ --out literaryqa.html",
    "fabula reproduce literaryqa --data LiteraryQA/ --judge prometheus-7b-v2.0@http://localhost:8000/v1 --protocol prometheus",
    "fabula reproduce longstoryeval --data LongStoryEval/ --evaluations evaluations.jsonl",
  ],
  prepare(input, { out }) {
    if (out !== undefined) checkedEnding(out, ["html", "md", "json"]);
    return input;
  },
  async present(reproduction, { flags: { out, json }, terminal, document, show }) {
    if (reproduction.plan) return showPlan(reproduction.plan, json, terminal);
    if (out !== undefined) {
      await writeReport(out, {
        html: () => reproductionHtml(reproduction),
        md: () => reproductionMarkdown(reproduction),
        json: () => `${document()}\n`,
      });
      terminal.note(`Wrote ${out}`);
    }
    await show(() => {
      const { title, headings, rows, note } = reproductionTable(reproduction);
      const differences = reproduction.differences.map((difference) => `- ${difference}`);
      const without = missingFigures(reproduction).map((line) => `- ${line}`);
      const reasons = reasonsOf(reproduction).map((reason) => `Printed, and not computed here, because ${reason}:`);
      return [
        title,
        "",
        textTable(headings, rows),
        "",
        note ?? "",
        "",
        ...reasons,
        ...without,
        "",
        "What differs, and why:",
        ...differences,
      ].join("\n");
    });
    if (reproduction.run) terminal.note(runInWords(reproduction.run));
    const missing = reproduction.figures.flatMap(({ name: figure, value, reason }) =>
      value === null && reason === undefined ? [figure] : [],
    );
    if (missing.length === 0) return 0;
    const figures = countOf(missing.length, "figure");
    terminal.note(`Exit code 3: too little data to compute ${figures}, shown as a dash: ${missing.join("; ")}.`);
    return 3;
  },
});
