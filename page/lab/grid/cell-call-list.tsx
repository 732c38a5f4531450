import { type ReactNode, useState } from "react";
import type {
  CellCall,
  CellCallDetails,
  CellCalls,
  CellDetails,
  ParsedRemark,
  ParsedReply,
} from "../../../src/api/cells.ts";
import type { Evidence } from "../../../src/api/evaluations.ts";
import { api } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { Facts } from "../../parts/facts.tsx";
import { chapterInWords, money, percent, scoreInFigures } from "../../parts/formats.ts";
import { ColumnNames, TableScroller } from "../../parts/table.tsx";
import { VerdictInWords } from "../../parts/verdict.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { to } from "../../routing.ts";
import type { Texts } from "../../texts/english.ts";
import { count } from "../../texts/language.ts";
import { useReason, useTexts } from "../../texts/preferences.tsx";
import { type CellParam, cellId, cellParam, type GridState, gridQuery } from "./grid-state.ts";

/** A quotation with whether it stands in the book; one that does leads there, and the reader leads back to the score. */
export function CellQuotation({
  item,
  cell,
  state,
}: {
  readonly item: Evidence;
  readonly cell: CellDetails;
  readonly state: GridState;
}) {
  const texts = useTexts();
  const title = cell.chapters.find(({ index }) => index === item.chapter)?.title;
  const isPlaced = item.found && item.start !== null && item.end !== null;
  const isExact = item.match === "exact" || item.match === "normalised";
  return (
    <blockquote className="quotation">
      {isPlaced ? (
        <a
          lang={cell.language ?? undefined}
          href={to(["books", cell.bookId, "read"], {
            chapter: item.chapter,
            start: item.start,
            end: item.end,
            grid: gridQuery(state),
          })}
        >
          {item.quote}
        </a>
      ) : (
        <p lang={cell.language ?? undefined}>{item.quote}</p>
      )}
      <footer>
        {chapterInWords(item.chapter, title, texts.chapterNumber)} ·{" "}
        {isPlaced ? (
          <span className="found">{isExact ? texts.cellFound : texts.cellFoundNearly(percent(item.similarity))}</span>
        ) : (
          <strong className="doubt">{texts.notInBook}</strong>
        )}
      </footer>
    </blockquote>
  );
}

/** Stands where something is not known: it is never guessed. */
export function NotStored() {
  const texts = useTexts();
  return <span className="unscored">{texts.cellNotStored}</span>;
}

/** The calls behind a score; each opens with its prompt, its reply and how it was read. */
export function CellCallList({ cell, state }: { readonly cell: CellDetails; readonly state: GridState }) {
  const texts = useTexts();
  const place = cellParam(cellId(cell, cell.aspect.id));
  const asked = useAnswer(api.cells[":evaluation"][":member"][":aspect"].calls, place);
  const [open, setOpen] = useState<number | null>(null);
  return (
    <>
      <h3>{texts.cellCalls}</h3>
      <Waiting asked={asked}>
        {({ kind, calls, total }) => {
          if (kind !== "listed") return <p className="muted">{texts[MISSING[kind]]}</p>;
          return (
            <>
              {total > calls.length ? <p className="muted">{texts.cellCallsOf(calls.length, total)}</p> : null}
              <TableScroller label={texts.cellCalls}>
                <table className="cell-calls">
                  <ColumnNames
                    names={[
                      ...[texts.purpose, texts.cellRead, texts.cellLatency, texts.cellTokens, texts.cost],
                      ...[texts.cellAttempts, texts.outcome],
                    ]}
                  />
                  <tbody>
                    {calls.map((call) => (
                      <CallRow
                        key={call.position}
                        call={call}
                        isOpen={open === call.position}
                        onToggle={() => setOpen(open === call.position ? null : call.position)}
                      />
                    ))}
                  </tbody>
                </table>
              </TableScroller>
              {open === null || place === null ? null : (
                <CellCallText key={open} place={place} position={open} cell={cell} state={state} />
              )}
            </>
          );
        }}
      </Waiting>
    </>
  );
}

const MISSING = {
  none: "cellCallsNone",
  "not-stored": "cellCallsNotStored",
  shared: "cellCallsShared",
} as const satisfies Readonly<Record<Exclude<CellCalls["kind"], "listed">, string>>;

function CallRow({
  call,
  isOpen,
  onToggle,
}: {
  readonly call: CellCall;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}) {
  const texts = useTexts();
  const { answer } = call;
  const figure = (value: number | undefined) => (value === undefined ? "–" : count(value));
  return (
    <tr>
      <th scope="row">
        <button type="button" className="link" aria-expanded={isOpen} onClick={onToggle}>
          {call.purpose === "summariser" ? texts.cellPurposeSummary : texts.cellPurposeJudge}
          {answer && answer.sample > 0 ? ` ${answer.sample + 1}` : null}
          <span className="visually-hidden"> {texts.cellCallNumber(call.position)}</span>
        </button>
      </th>
      <td>{call.read === null ? "–" : <VerdictInWords verdict={call.read} />}</td>
      <td className="number">{answer ? `${(answer.latencyMilliseconds / 1000).toFixed(1)} s` : "–"}</td>
      <td className="number">
        {figure(answer?.inputTokens)}, {figure(answer?.outputTokens)}
      </td>
      <td className="number">{call.cost === null ? texts.unknown : money(call.cost)}</td>
      <td className="number">{figure(answer?.attempts)}</td>
      <td>
        {outcomeInWords(call, texts)}
        {call.reason ? <small className="doubt"> {call.reason}</small> : null}
      </td>
    </tr>
  );
}

function outcomeInWords({ outcome }: CellCall, texts: Texts): string {
  if (outcome === "asked") return texts.cellOutcomeAsked;
  return outcome === "cached" ? texts.cellOutcomeCached : texts.cellOutcomeFailed;
}

interface InCell {
  readonly cell: CellDetails;
  readonly state: GridState;
}

/** One call, word by word: what was sent, what came back, and what was read in it. All of it is shown as text. */
function CellCallText({
  place: { param },
  position,
  cell,
  state,
}: InCell & { readonly place: CellParam; readonly position: number }) {
  const texts = useTexts();
  const asked = useAnswer(api.cells[":evaluation"][":member"][":aspect"].calls[":position"], {
    param: { ...param, position: String(position) },
  });
  return (
    <div className="cell-call">
      <Waiting asked={asked}>
        {(call) => (
          <>
            <h4>{texts.cellParsed}</h4>
            <Reading call={call} cell={cell} state={state} />
            <Words name={texts.cellReply}>{call.reply === null ? <NotStored /> : <pre>{call.reply}</pre>}</Words>
            {call.reasoning === null ? null : (
              <Words name={texts.cellReasoning}>
                <pre>{call.reasoning}</pre>
              </Words>
            )}
            <Words name={texts.cellPrompt}>
              {call.prompt === null ? <NotStored /> : <Prompt prompt={call.prompt} />}
            </Words>
            <h4>{texts.cellParameters}</h4>
            <Parameters call={call} />
          </>
        )}
      </Waiting>
    </div>
  );
}

function Reading({ call: { parsed, purpose }, cell, state }: InCell & { readonly call: CellCallDetails }) {
  const texts = useTexts();
  if (parsed !== null) return <Parsed parsed={parsed} cell={cell} state={state} />;
  return purpose === "judge" ? <NotStored /> : <p className="muted">{texts.cellNoScoresAsked}</p>;
}

function Words({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <details>
      <summary>{name}</summary>
      <div className="call-words">{children}</div>
    </details>
  );
}

function Prompt({ prompt }: { readonly prompt: NonNullable<CellCallDetails["prompt"]> }) {
  const texts = useTexts();
  const roles: Readonly<Record<string, string>> = {
    system: texts.cellRoleSystem,
    user: texts.cellRoleUser,
    assistant: texts.cellRoleAssistant,
  };
  return prompt.map(({ role, content }, position) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: messages have no names, and the list never changes.
    <section key={position}>
      <h5>{roles[role] ?? role}</h5>
      <pre>{content}</pre>
    </section>
  ));
}

function Parameters({ call: { parameters, answer } }: { readonly call: CellCallDetails }) {
  const texts = useTexts();
  const names: Readonly<Record<string, string>> = {
    temperature: texts.settingTemperature,
    seed: texts.settingSeed,
    maximumTokens: texts.settingLongest,
    schema: texts.settingShape,
  };
  const sent = Object.entries(parameters).map(([name, value]) => [names[name] ?? name, value] as const);
  const facts = [...sent, ...(answer ? [[texts.model, answer.servedBy] as const] : [])];
  return facts.length === 0 ? <NotStored /> : <Facts facts={facts} />;
}

function Parsed({ parsed, cell, state }: InCell & { readonly parsed: ParsedReply }) {
  const texts = useTexts();
  const inWords = useReason();
  if (parsed.kind === "unreadable") return <p className="doubt">{texts.cellUnreadable(inWords(parsed.reason))}</p>;
  const { minimum, maximum } = cell.given.scale;
  return (
    <>
      <p>
        {parsed.as === "json" ? texts.cellParsedJson : texts.cellParsedReview}{" "}
        {parsed.score === null ? texts.unscored : texts.asGiven(scoreInFigures(parsed.score), minimum, maximum)}
      </p>
      <Remarks heading={texts.strengths} remarks={parsed.strengths} cell={cell} state={state} />
      <Remarks heading={texts.weaknesses} remarks={parsed.weaknesses} cell={cell} state={state} />
    </>
  );
}

function Remarks({
  heading,
  remarks,
  cell,
  state,
}: InCell & { readonly heading: string; readonly remarks: readonly ParsedRemark[] }) {
  if (remarks.length === 0) return null;
  return (
    <div className="remarks">
      <h5>{heading}</h5>
      {remarks.map((remark, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: remarks have no names, and the list never changes.
        <div key={position}>
          {remark.text ? <p className="prose">{remark.text}</p> : null}
          {remark.quotations.map((item, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a judge may quote a sentence twice.
            <CellQuotation key={at} item={item} cell={cell} state={state} />
          ))}
        </div>
      ))}
    </div>
  );
}
