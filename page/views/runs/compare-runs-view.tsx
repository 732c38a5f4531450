import { useState } from "react";
import type { ComparedAnswer, RunComparison, RunRow, SharedPrompt } from "../../../src/api/runs.ts";
import { address } from "../../api/request.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { Facts } from "../../parts/facts.tsx";
import { money, spending } from "../../parts/formats.ts";
import { JudgeLabel } from "../../parts/judges/judge-label.tsx";
import { View } from "../../parts/view.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { to, type ViewProps } from "../../routing.ts";
import { useTexts } from "../../texts/preferences.tsx";
import { purposeInWords, secondsOf } from "./run-states.ts";
import "./runs.css";

const AT_A_TIME = 25;

/** What two runs were answered to the same prompts. */
export default function CompareRunsView({ route: { query } }: ViewProps) {
  const texts = useTexts();
  const [left, right] = [query.get("left") ?? "", query.get("right") ?? ""];
  const asked = useAnswer<RunComparison>(left && right ? address("/api/runs/compare", { left, right }) : null);
  return (
    <View title={texts.runsCompared} kicker={<a href={to(["runs"])}>{texts.runs}</a>}>
      <p>{texts.runsComparedNote}</p>
      {left && right ? (
        <Waiting asked={asked}>{(known) => <Compared known={known} />}</Waiting>
      ) : (
        <p>{texts.compareRunsHint}</p>
      )}
    </View>
  );
}

function Compared({ known }: { readonly known: RunComparison }) {
  const texts = useTexts();
  const { left, right, both, sameReply, onlyLeft, onlyRight, rows } = known;
  const [shown, setShown] = useState(AT_A_TIME);
  return (
    <>
      <div className="two-runs">
        <OneSide name={texts.left} run={left} />
        <OneSide name={texts.right} run={right} />
      </div>
      <Facts
        facts={[
          [texts.samePrompts, both],
          [texts.sameReplies, sameReply],
          [texts.otherReplies, both - sameReply],
          [texts.onlyInLeft, onlyLeft],
          [texts.onlyInRight, onlyRight],
        ]}
      />
      {rows.length === 0 ? <p className="muted">{texts.noSamePrompts}</p> : null}
      {rows.slice(0, shown).map((row) => (
        <TwoReplies key={row.id} row={row} left={left.id} right={right.id} />
      ))}
      <div className="load-more">
        {both > 0 ? <span className="muted">{texts.rowsOf(Math.min(shown, rows.length), both)}</span> : null}
        {rows.length > shown ? (
          <button type="button" onClick={() => setShown(shown + AT_A_TIME)}>
            {texts.more}
          </button>
        ) : null}
      </div>
    </>
  );
}

function OneSide({ name, run }: { readonly name: string; readonly run: RunRow }) {
  const texts = useTexts();
  return (
    <section className="panel" aria-label={name}>
      <p className="kicker">{name}</p>
      <p className="command">
        <a href={to(["runs", run.id])}>{run.command}</a>
      </p>
      <p className="muted">
        {texts.calls}: {run.calls.toLocaleString("en-GB")} · {texts.cost}: {spending(run, texts)}
      </p>
    </section>
  );
}

interface TwoRepliesProps {
  readonly row: SharedPrompt;
  readonly left: string;
  readonly right: string;
}

function TwoReplies({ row, left, right }: TwoRepliesProps) {
  const texts = useTexts();
  return (
    <details className="two-replies" open={!row.isSame}>
      <summary>
        {purposeInWords(row.purpose, texts)}{" "}
        <span className={row.isSame ? "tag quiet" : "tag"}>{row.isSame ? texts.sameReply : texts.otherReply}</span>
      </summary>
      <div className="two-runs">
        <OneReply run={left} call={row.left} />
        <OneReply run={right} call={row.right} />
      </div>
    </details>
  );
}

function OneReply({ run, call }: { readonly run: string; readonly call: ComparedAnswer }) {
  const texts = useTexts();
  return (
    <div>
      <p className="muted">
        <JudgeLabel judge={call.model} /> · {secondsOf(call.latencyMilliseconds, texts)} ·{" "}
        {call.cost === null ? texts.unknown : money(call.cost)} ·{" "}
        <a href={to(["runs", run], { call: call.position })}>{texts.prompt}</a>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
      <section className="verbatim" aria-label={`${texts.reply}: ${call.model}`} tabIndex={0}>
        <pre>{call.reply}</pre>
      </section>
    </div>
  );
}
