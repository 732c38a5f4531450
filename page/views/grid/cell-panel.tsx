import { type ReactNode, useEffect, useRef } from "react";
import type { CellDetails } from "../../../src/api/cells.ts";
import type { AnswerState } from "../../api/use-answer.ts";
import { Facts } from "../../parts/facts.tsx";
import { moment, scoreInFigures, spending } from "../../parts/formats.ts";
import { JudgeLabel } from "../../parts/judges/judge-label.tsx";
import { speakerOf } from "../../parts/judges/judge-name.ts";
import { ScaleBar, VerdictFigure } from "../../parts/verdict.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { to } from "../../routing.ts";
import type { Texts } from "../../texts/english.ts";
import { useNames, usePreferences, useTexts } from "../../texts/preferences.tsx";
import { CellCallList } from "./cell-call-list.tsx";
import { CellRemarkList } from "./cell-remark-list.tsx";
import { cellId, type GridState } from "./grid-state.ts";
import { NotStored } from "./not-stored.tsx";

/** Everything behind one score, as far as it was stored. */
export function CellPanel({
  asked,
  state,
  name,
  onClose,
}: {
  readonly asked: AnswerState<CellDetails>;
  readonly state: GridState;
  readonly name: string;
  readonly onClose: () => void;
}) {
  const texts = useTexts();
  return (
    <article className="cell-panel" aria-label={name}>
      <header>
        <p className="kicker">{name}</p>
        <button type="button" className="quiet" onClick={onClose}>
          {texts.cellClose}
        </button>
      </header>
      <Waiting asked={asked}>
        {(cell) => <Behind key={cellId(cell, cell.aspect.id)} cell={cell} state={state} />}
      </Waiting>
    </article>
  );
}

function Behind({ cell, state }: { readonly cell: CellDetails; readonly state: GridState }) {
  const { texts, language } = usePreferences();
  const names = useNames();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const { given, scale, verdict, aspect } = cell;
  const speaker = speakerOf(cell.judge, texts);
  const isConverted = given.scale.minimum !== scale.minimum || given.scale.maximum !== scale.maximum;
  const aspectName = aspect.id === "overall" ? texts.overall : names.aspect(aspect.id, aspect.name);
  return (
    <>
      <h2 ref={heading} tabIndex={-1}>
        {aspectName}
        <small>{cell.title}</small>
      </h2>
      <VerdictFigure
        verdict={verdict}
        scale={scale}
        percentile={cell.percentile?.value ?? null}
        population={cell.percentile?.size ?? null}
      />
      <ScaleBar verdict={verdict} scale={scale} />
      {isConverted && given.verdict.kind === "scored" ? (
        <p className="muted">
          {texts.asGiven(scoreInFigures(given.verdict.score), given.scale.minimum, given.scale.maximum)}
        </p>
      ) : null}
      <Facts
        facts={[
          [texts.judge, <JudgeLabel key="judge" judge={cell.judge} />],
          ...(speaker === null ? [] : [[texts.whoSpeaks, speaker] as const]),
          [texts.method, names.method(cell.method)],
          [texts.cellSupport, supportInWords(cell, texts)],
          [texts.cellScores, cell.scores?.map(scoreInFigures).join(", ") || <NotStored />],
          [texts.calls, cell.calls.toLocaleString("en-GB")],
          [texts.cost, spending(cell, texts)],
          [texts.date, moment(cell.createdAt, language)],
        ]}
      />
      <p className="cell-links">
        <a href={to(["evaluations", cell.evaluationId], { tab: "verdicts" })}>{texts.cellOpenReport}</a>
        {cell.runId ? <a href={to(["runs", cell.runId])}>{texts.cellOpenRun}</a> : null}
      </p>
      <CellRemarkList cell={cell} state={state} />
      <CellCallList cell={cell} state={state} />
      <h3>{texts.cellSettings}</h3>
      <Settings cell={cell} />
    </>
  );
}

function supportInWords({ support, runs }: CellDetails, texts: Texts): ReactNode {
  return [support && texts.cellSegments(support.scored, support.segments), texts.cellRuns(runs)]
    .filter(Boolean)
    .join(" · ");
}

function Settings({ cell: { settings } }: { readonly cell: CellDetails }) {
  const texts = useTexts();
  if (settings === null) return <NotStored />;
  const yes = (value: boolean) => (value ? texts.settingYes : texts.settingNo);
  return (
    <Facts
      facts={[
        [texts.settingProtocol, settings.protocol],
        [texts.settingRubric, `${settings.rubric.id} ${settings.rubric.version}`],
        [texts.settingTemperature, settings.temperature ?? texts.none],
        [texts.settingDefinitions, yes(settings.definitions)],
        [texts.settingPrompts, settings.language],
        [texts.settingSummariser, settings.summariser ?? texts.none],
        [texts.settingSegmentWords, settings.segmentWords?.toLocaleString("en-GB") ?? texts.none],
      ]}
    />
  );
}
