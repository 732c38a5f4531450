import { useState } from "react";
import type { RunCallRow, RunDetails } from "../../../src/api/runs.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { Filter } from "../../parts/field.tsx";
import { moment, money } from "../../parts/formats.ts";
import { JudgeLabel } from "../../parts/judges/judge-label.tsx";
import { LoadMore } from "../../parts/load-more.tsx";
import { ColumnNames, TableScroller } from "../../parts/table.tsx";
import { replaceRoute, to } from "../../routing.ts";
import { usePreferences, useTexts } from "../../texts/preferences.tsx";
import { outcomeInWords, purposeInWords, secondsOf } from "./run-states.ts";
import "./runs.css";
import { useAnswer } from "../../api/use-answer.ts";
import { Facts } from "../../parts/facts.tsx";
import { markOf } from "../../parts/judges/judge-mark.ts";
import { useKnownJudges } from "../../parts/judges/known-judges.ts";
import { Waiting } from "../../parts/waiting.tsx";

const HEIGHT = 8;
const MOST = 120;

/** When each call began and how long the model took. A bar opens its call; the table below says the same in words. */
function TimeLine({
  calls,
  onOpen,
}: {
  readonly calls: readonly RunCallRow[];
  readonly onOpen: (position: number) => void;
}) {
  const texts = useTexts();
  const judges = useKnownJudges(calls[0]?.model ?? "") ?? [];
  const bars = calls.slice(0, MOST).flatMap((call) => {
    const end = Date.parse(call.at);
    if (Number.isNaN(end) || call.latencyMilliseconds === null || call.outcome !== "asked") return [];
    return [{ call, start: end - call.latencyMilliseconds, end }];
  });
  if (bars.length < 2) return null;
  const first = Math.min(...bars.map(({ start }) => start));
  const whole = Math.max(1, Math.max(...bars.map(({ end }) => end)) - first);
  const place = (moment: number) => `${(100 * (moment - first)) / whole}%`;
  return (
    <figure className="time-line">
      <figcaption>
        {texts.timeLine}. {texts.timeLineNote((whole / 1000).toFixed(1))}
      </figcaption>
      <svg width="100%" height={bars.length * HEIGHT} aria-hidden="true">
        {bars.map(({ call, start, end }, row) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: the table below has a button for every call.
          <rect
            key={call.position}
            x={place(start)}
            y={row * HEIGHT + 1}
            width={`${Math.max(0.3, (100 * (end - start)) / whole)}%`}
            height={HEIGHT - 3}
            rx="2"
            style={{ fill: `var(--judge-${markOf(call.model, judges).colour})` }}
            onClick={() => onOpen(call.position)}
          >
            <title>{`${call.model} · ${call.purpose} · ${secondsOf(call.latencyMilliseconds, texts)}`}</title>
          </rect>
        ))}
      </svg>
    </figure>
  );
}

const COLUMNS = 7;
const LONGEST_SUMMARY = 60;
const FILTERS = ["model", "purpose", "outcome"] as const;

/** Every call of a run; opened, what was sent and what came back, as text, whatever is in it. */
export function RunCalls({ run, query }: { readonly run: RunDetails; readonly query: URLSearchParams }) {
  const { texts, language } = usePreferences();
  const chosen = Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? ""]));
  const pages = usePages(api.runs[":id"].calls, { param: { id: run.id }, query: chosen }, 30);
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
        <Filter
          label={texts.model}
          any={texts.anyJudge}
          value={chosen.model!}
          options={values("model").map((value) => [value, value])}
          onChoose={(model) => address({ model })}
        />
        <Filter
          label={texts.purpose}
          any={texts.anyPurpose}
          value={chosen.purpose!}
          options={values("purpose").map((value) => [value, purposeInWords(value, texts)])}
          onChoose={(purpose) => address({ purpose })}
        />
        <Filter
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

/** One call whole: the prompt as sent beside the reply as received. */
function CallDetails({ run, position }: { readonly run: string; readonly position: number }) {
  const texts = useTexts();
  const asked = useAnswer(api.runs[":id"].calls[":position"], { param: { id: run, position: String(position) } });
  return (
    <Waiting asked={asked}>
      {(call) => (
        <div className="call-details">
          <Facts
            facts={[
              [texts.latency, secondsOf(call.latencyMilliseconds, texts)],
              [texts.tokens, `${call.inputTokens ?? "–"} / ${call.outputTokens ?? "–"}`],
              [texts.attempts, call.attempts ?? "–"],
              [texts.servedBy, call.servedBy ?? "–"],
              [texts.temperature, call.request?.temperature ?? "–"],
            ]}
          />
          <div className="prompt-and-reply">
            <div>
              <h3>{texts.promptSent}</h3>
              {call.request === null ? <p className="muted">{texts.promptNotKept}</p> : null}
              {call.request?.messages.map(({ role, content }, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two messages may be alike, and the list never changes.
                <Verbatim key={place} name={role} text={content} />
              ))}
              {call.request?.schema ? (
                <details>
                  <summary>{texts.replySchema}</summary>
                  <Verbatim name={texts.replySchema} text={call.request.schema} />
                </details>
              ) : null}
            </div>
            <div>
              <h3>{texts.replyReceived}</h3>
              <Verbatim name={texts.reply} text={call.reply ?? call.reason ?? "–"} />
              {call.reasoning ? (
                <>
                  <h3>{texts.reasoningReceived}</h3>
                  <Verbatim name={texts.reasoningReceived} text={call.reasoning} />
                </>
              ) : null}
            </div>
          </div>
        </div>
      )}
    </Waiting>
  );
}

/** Somebody else's words, to the letter; long ones scroll by themselves. */
function Verbatim({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
    <section className="verbatim" aria-label={name} tabIndex={0}>
      <pre>{text}</pre>
    </section>
  );
}
