import { useState } from "react";
import type { RunCallRow, RunDetails } from "../../../src/api/runs.ts";
import { usePages } from "../../api/use-pages.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { moment, money } from "../../parts/formats.ts";
import { JudgeLabel } from "../../parts/judges/judge-label.tsx";
import { LoadMore } from "../../parts/load-more.tsx";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { replaceRoute, to } from "../../routing.ts";
import { usePreferences } from "../../texts/preferences.tsx";
import { CallDetails } from "./call-details.tsx";
import { Choice } from "./choice.tsx";
import { outcomeInWords, purposeInWords, secondsOf } from "./run-states.ts";
import { TimeLine } from "./time-line.tsx";
import "./runs.css";

const COLUMNS = 7;
const LONGEST_SUMMARY = 60;
const FILTERS = ["model", "purpose", "outcome"] as const;

/** Every call of a run; opened, what was sent and what came back, as text, whatever is in it. */
export function RunCalls({ run, query }: { readonly run: RunDetails; readonly query: URLSearchParams }) {
  const { texts, language } = usePreferences();
  const chosen = Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? ""]));
  const pages = usePages<RunCallRow>(`/api/runs/${encodeURIComponent(run.id)}/calls`, chosen, 30);
  const [opened, setOpened] = useState<number | null>(() => Number(query.get("call")) || null);
  const address = (change: Readonly<Record<string, string | number>>) =>
    replaceRoute(to(["runs", run.id], { ...chosen, call: opened, ...change }));
  const open = (position: number) => {
    const next = opened === position ? null : position;
    setOpened(next);
    address({ call: next ?? "" });
  };
  const values = (name: "model" | "purpose" | "outcome") => [...new Set(run.byModel.map((row) => row[name]))];
  return (
    <section aria-label={texts.everyCall}>
      <h2>{texts.everyCall}</h2>
      <div className="toolbar">
        <Choice
          label={texts.model}
          any={texts.anyJudge}
          value={chosen.model!}
          options={values("model").map((value) => [value, value])}
          onChoose={(model) => address({ model })}
        />
        <Choice
          label={texts.purpose}
          any={texts.anyPurpose}
          value={chosen.purpose!}
          options={values("purpose").map((value) => [value, purposeInWords(value, texts)])}
          onChoose={(purpose) => address({ purpose })}
        />
        <Choice
          label={texts.outcome}
          any={texts.anyOutcome}
          value={chosen.outcome!}
          options={values("outcome").map((value) => [value, outcomeInWords(value, texts)])}
          onChoose={(outcome) => address({ outcome })}
        />
      </div>
      {pages.items.length === 0 && !pages.isLoading ? <p className="muted">{texts.noCalls}</p> : null}
      <TimeLine calls={pages.items} onOpen={open} />
      {pages.items.length > 0 ? (
        <TableScroller label={texts.everyCall}>
          <table className="calls">
            <ColumnNames
              names={[texts.at, texts.model, texts.purpose, texts.outcome, texts.latency, texts.cost, texts.reply]}
            />
            {pages.items.map((call) => (
              <tbody key={call.position}>
                <tr>
                  <td className="moment">{moment(call.at, language)}</td>
                  <td className="model">
                    <JudgeLabel judge={call.model} />
                  </td>
                  <td>{purposeInWords(call.purpose, texts)}</td>
                  <td>
                    {outcomeInWords(call.outcome, texts)}
                    {call.reason ? <span className="muted">: {call.reason}</span> : null}
                  </td>
                  <td className="number">{secondsOf(call.latencyMilliseconds, texts)}</td>
                  <td className="number">{call.cost === null ? texts.unknown : money(call.cost)}</td>
                  <td>
                    <button
                      type="button"
                      className="quiet call-opener"
                      aria-expanded={opened === call.position}
                      onClick={() => open(call.position)}
                    >
                      <span>
                        <span className="visually-hidden">{texts.openCall(call.position)}: </span>
                        {beginning(call.reply ?? call.reason ?? "–")}
                      </span>
                    </button>
                  </td>
                </tr>
                {opened === call.position ? (
                  <tr>
                    <td colSpan={COLUMNS}>
                      <CallDetails run={run.id} position={call.position} />
                    </td>
                  </tr>
                ) : null}
              </tbody>
            ))}
          </table>
        </TableScroller>
      ) : null}
      <LoadMore pages={pages} />
    </section>
  );
}

function beginning(reply: string): string {
  return reply.length <= LONGEST_SUMMARY ? reply : `${reply.slice(0, LONGEST_SUMMARY)}…`;
}
