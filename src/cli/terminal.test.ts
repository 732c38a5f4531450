import { createColors } from "picocolors";
import { describe, expect, it } from "vitest";
import { sampleEvaluation } from "../../test/fixtures/sample-evaluation.ts";
import { evaluationView } from "../report/evaluation-view.ts";
import { terminalReport } from "../report/terminal-report.ts";
import { runEvents } from "./task-command.ts";
import { createTerminal, nextProgress, type Progress, progressLine } from "./terminal.ts";

/** Clears the screen, sets the window's title, hides what follows, and writes backwards. */
const HOSTILE = "\u001b[2J\u001b]0;owned\u0007\u009b8m\rover\u202ewritten";

function terminalAt(isTTY: boolean) {
  const written = { stdout: "", stderr: "" };
  const stream = (name: "stdout" | "stderr") => ({
    isTTY,
    write: (text: string) => {
      written[name] += text;
    },
  });
  return { written, terminal: createTerminal(stream("stdout"), stream("stderr"), { noColour: false }) };
}

describe("what a model or a manuscript wrote, at a terminal", () => {
  it.each([true, false])("cannot drive it through results, notes or errors (terminal: %s)", (isTTY) => {
    const { terminal, written } = terminalAt(isTTY);
    const paint = createColors(terminal.colours);
    terminal.print(`${paint.bold("Title")} ${HOSTILE}`);
    terminal.note(`fabula: ${HOSTILE}`);
    expect(written.stdout).toBe(
      `${paint.bold("Title")} \\u001b[2J\\u001b]0;owned\\u0007\\u009b8m\\u000dover\\u202ewritten\n`,
    );
    expect(written.stderr).toBe("fabula: \\u001b[2J\\u001b]0;owned\\u0007\\u009b8m\\u000dover\\u202ewritten\n");
  });

  it("cannot drive it through the name of a file in the progress", () => {
    const { terminal, written } = terminalAt(true);
    terminal.progress({ stage: "Reading", done: 1, total: 1, note: HOSTILE });
    expect(written.stderr.replace("\r\u001b[2K", "")).not.toMatch(/\p{Cc}|\u202e/u);
  });

  it("leaves JSON the document it was", () => {
    const { terminal, written } = terminalAt(false);
    terminal.print(JSON.stringify({ title: HOSTILE, 标题: "雾港\t的灯\n塔" }));
    expect(JSON.parse(written.stdout)).toEqual({ title: HOSTILE, 标题: "雾港\t的灯\n塔" });
  });

  it("is plain in every part of the report, in colour too", () => {
    const evaluation = JSON.parse(JSON.stringify(sampleEvaluation()), (_key, value: unknown) =>
      typeof value === "string" && value.includes(" ") ? `${value} \u001b[31mred` : value,
    );
    const hostile = { ...evaluation, notes: ["The judge says \u001b[31mred"] };
    const report = terminalReport(evaluationView(hostile), { colours: true, width: 100 });
    expect(report).toContain("The judge says [31mred");
    expect(report).not.toContain("\u001b[31mred");
  });
});

describe("progress", () => {
  const at = (now: number, done: number, before: Progress | null) =>
    nextProgress(before, { stage: "Judging", done, total: 10 }, now);

  it("says how long it may still take, once that can be guessed, and what it has cost", () => {
    const begun = at(0, 0, null);
    expect(progressLine(begun, 100)).toBe("Judging ░░░░░░░░░░░░░░░░░░░░░░░░ 0/10");
    expect(progressLine(begun, 4000)).toContain("0/10  4 s");
    const later = { ...at(8000, 2, begun), spent: { cost: 0.125 } };
    expect(progressLine(later, 8000)).toContain("2/10  about 32 seconds left  $0.13");
  });

  it("guesses again for the next of several alike", () => {
    const first = at(100_000, 10, at(0, 0, null));
    const second = at(104_000, 2, at(100_000, 0, first));
    expect(progressLine(second, 104_000)).toContain("2/10  about 16 seconds left");
  });

  it("says that the cost is unknown where the price is, never that it is nothing", () => {
    const { terminal, written } = terminalAt(true);
    const onEvent = runEvents(terminal);
    const answered = (cost: number | null, spent: number) => {
      onEvent!({ kind: "answered", model: "m", cost, spent });
      written.stderr = "";
      terminal.progress({ stage: "Judging", done: 10, total: 10 });
      return written.stderr.slice(written.stderr.indexOf("10/10")).replace("10/10", "").trim();
    };
    terminal.progress({ stage: "Judging", done: 0, total: 10 });
    expect(answered(null, 0)).toBe("cost unknown");
    expect(answered(0.25, 0.25)).toBe("at least $0.25");
    terminal.endProgress();
  });

  it("is drawn on a terminal from the first event on", () => {
    const { terminal, written } = terminalAt(true);
    terminal.progress({ stage: "Reading", done: 0, total: 3 });
    expect(written.stderr).toContain("Reading ");
    terminal.endProgress();
    expect(written.stderr.endsWith("\r\u001b[2K")).toBe(true);
  });
});
